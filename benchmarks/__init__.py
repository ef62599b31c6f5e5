"""Speed, strength and studies, each run as `python -m benchmarks.ROOM.NAME`; results/ keeps what they found."""
