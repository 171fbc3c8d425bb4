"""Connects the chat server to Interplay: it starts the server as a process of its own, and is as many clients as the test
asks for. Every run has a session of its own, so that a reset costs nothing but hanging up. Arguments go to the server."""

from __future__ import annotations

import itertools
import queue
import socket
import subprocess
import sys
import threading
from pathlib import Path

from interplay import Refused, System, input, serve

#: Seconds. A server that says nothing for so long is broken, whatever it does wrong otherwise.
PATIENCE = 5


class Client:
    """One connection. A thread listens on it all the time: what comes is a delivery, or the answer to what was asked last."""

    def __init__(self, address, name, deliver):
        self.name, self.deliver = name, deliver
        self.wire = socket.create_connection(address, PATIENCE)
        self.wire.settimeout(None)
        self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self.answers = queue.SimpleQueue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.ask(f"NAME {name}")

    def listen(self):
        try:
            for line in self.wire.makefile(encoding="utf-8", newline="\n"):
                kind, _, rest = line.rstrip("\n").partition(" ")
                if kind == "FROM":
                    sender, _, text = rest.partition(" ")
                    self.deliver(sender=sender, receiver=self.name, text=text)
                else:
                    self.answers.put((kind, rest))
        except OSError:
            pass  # We hung up.

    def ask(self, line):
        self.wire.sendall(line.encode() + b"\n")
        try:
            kind, reason = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise TimeoutError(f"the server does not answer `{line}`") from None
        if kind == "NO":
            raise Refused(reason)

    def close(self):
        try:
            self.wire.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The server hung up before.
        self.wire.close()


class Chat(System):
    name = "chat server in Python"
    outputs = ["deliver(sender, receiver, text)"]
    runs = itertools.count(1)

    def __init__(self, address):
        self.address = address
        self.session = f"run-{next(self.runs)}"
        self.clients = {}

    @input
    def create(self):
        name = f"client-{len(self.clients) + 1}"
        self.clients[name] = Client(self.address, name, self.delivered)
        return name

    @input
    def enter(self, c):
        self.client(c).ask(f"ENTER {self.session}")

    @input
    def post(self, sender, text):
        self.client(sender).ask(f"POST {text}")

    def client(self, name):
        if name not in self.clients:
            raise Refused(f"there is no {name}")
        return self.clients[name]

    def delivered(self, **delivery):
        self.emit("deliver", **delivery)

    def close(self):
        for client in self.clients.values():
            client.close()


def main():
    command = [sys.executable, "-B", Path(__file__).with_name("server.py"), *sys.argv[1:]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        host, _, port = server.stdout.readline().strip().rpartition(":")
        try:
            serve(Chat, (host, int(port)))
        finally:
            server.kill()


if __name__ == "__main__":
    main()
