"""The cable between a browser and the server, which a test can cut and mend."""

from __future__ import annotations

import contextlib
import socket
import threading


class Cable:
    """Passes bytes on to a port of this machine. Once cut, it breaks off what is under way and lets nothing through."""

    def __init__(self, to_port: int) -> None:
        self.to_port = to_port
        self.whole = True
        self.ends: list[socket.socket] = []
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Break off every connection, and every one that is tried from now on."""
        self.whole = False
        for end in self.ends:
            _end(end)
        self.ends.clear()

    def mend(self) -> None:
        """Let new connections through again."""
        self.whole = True

    def close(self) -> None:
        """Take the cable away."""
        self.cut()
        _end(self.door)

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.door.accept()
                if not self.whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.to_port))
                self.ends += [near, far]
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=_pass_on, args=(source, sink), daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        _end(end)


def _end(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
