"""What lies between windows and server: passes on bytes until it is cut, or hangs."""

import contextlib
import socket
import threading


class Network:
    """Passes on bytes to a port of this computer.

    Attributes:
        port: where it listens.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._near: list[socket.socket] = []
        self._far: list[socket.socket] = []
        self._flows = threading.Event()
        self._flows.set()
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close everything; new connections are closed at once until `mend`."""
        self.is_cut = True
        _close(self._near)
        _close(self._far)

    def hang(self) -> None:
        """Pass on nothing, and leave all connections open, as when a cable is pulled out or a firewall forgets them."""
        self._flows.clear()

    def drop_near(self) -> None:
        """Close the windows' ends; what they had sent still arrives at the server when it flows again."""
        _close(self._near)

    def mend(self) -> None:
        """Pass on everything, also what was held back."""
        self.is_cut = False
        self._flows.set()

    def _accept(self) -> None:
        while True:
            near, _ = self._listener.accept()
            try:
                if self.is_cut:
                    raise OSError
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                near.close()
                continue
            self._near.append(near)
            self._far.append(far)
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                self._flows.wait()
                target.sendall(part)
        _close([source, target])


def _close(sockets: list[socket.socket]) -> None:
    for each in list(sockets):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
    sockets.clear()
