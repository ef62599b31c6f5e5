"""What the nets know of openings and scores: the tables and pictures of docs/knowledge.md."""
