"""A chat server over TCP. A connection is a client; clients enter a session by its name, and whatever one of them posts is
delivered to the other members. Every pair of a sender and a receiver has a queue of its own, which keeps the order.

One line is one message: `NAME alice`, `ENTER session`, `POST text` are answered by `OK` or `NO reason`; `FROM alice text`
comes at any time. The server says on standard output where it listens, and ends when its standard input does.

    server.py [--fault NAME]
"""

from __future__ import annotations

import argparse
import itertools
import os
import queue
import random
import socket
import socketserver
import sys
import threading
import time

FAULTS = {
    "thread-per-delivery": "every delivery has a thread of its own, so that a message can overtake an earlier one",
    "hears-itself": "posts come back to the sender too",
    "forgets-late-members": "who entered after the sender does not receive the sender's posts",
    "delivers-twice": "every message arrives twice",
    "counts-others": "posting is refused until there are two others, instead of two members",
}

#: How long a delivery takes on a good line: enough for different senders to overtake each other now and then.
TRANSFER = 0.002
#: How long a thread may have to wait for a processor. Here every other one has to, on an idle machine too.
THREAD_START = 0.08


class Rejected(Exception):
    """The answer is NO."""


class Queue:
    """From one sender to one receiver: a thread delivers one message after the other."""

    def __init__(self, sender: Client, receiver: Client, fault: str | None):
        self.sender, self.receiver, self.fault = sender.name, receiver, fault
        self.texts: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self.run, daemon=True).start()

    def put(self, text: str) -> None:
        self.texts.put(text)

    def close(self) -> None:
        self.texts.put(None)

    def run(self) -> None:
        delays = itertools.cycle((THREAD_START, 0))
        while (text := self.texts.get()) is not None:
            if self.fault == "thread-per-delivery":
                delay = next(delays)
                threading.Thread(target=self.deliver, args=(text, delay), daemon=True).start()
            else:
                self.deliver(text, random.uniform(0, TRANSFER))

    def deliver(self, text: str, delay: float) -> None:
        time.sleep(delay)
        self.receiver.send(f"FROM {self.sender} {text}")


class Session:
    """The members in the order in which they entered, and the queue of each pair of sender and receiver."""

    def __init__(self, fault: str | None):
        self.fault = fault
        self.lock = threading.Lock()
        self.members: list[Client] = []
        self.queues: dict[tuple[Client, Client], Queue] = {}

    def enter(self, newcomer: Client) -> None:
        with self.lock:
            for other in self.members:
                self.connect(newcomer, other)
                self.connect(other, newcomer)
            if self.fault == "hears-itself":
                self.connect(newcomer, newcomer)
            self.members.append(newcomer)

    def connect(self, sender: Client, receiver: Client) -> None:
        self.queues[sender, receiver] = Queue(sender, receiver, self.fault)

    def post(self, sender: Client, text: str) -> None:
        with self.lock:
            if len(self.members) < (3 if self.fault == "counts-others" else 2):
                raise Rejected("there is nobody to hear you")
            receivers = self.members
            if self.fault == "forgets-late-members":
                receivers = receivers[: receivers.index(sender)]
            for receiver in receivers:
                if (sender, receiver) in self.queues:
                    for _ in range(2 if self.fault == "delivers-twice" else 1):
                        self.queues[sender, receiver].put(text)

    def leave(self, client: Client) -> None:
        with self.lock:
            self.members.remove(client)
            for pair in [pair for pair in self.queues if client in pair]:
                self.queues.pop(pair).close()


class Client(socketserver.StreamRequestHandler):
    """One connection, served by a thread of its own."""

    server: ChatServer
    name = ""
    session: Session | None = None

    def setup(self) -> None:
        super().setup()
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self.sending = threading.Lock()

    def handle(self) -> None:
        try:
            for line in self.rfile:
                command, _, rest = line.decode().rstrip("\n").partition(" ")
                self.send(self.answer(command, rest))
        except ConnectionError:
            pass  # It hung up in a hurry.

    def answer(self, command: str, rest: str) -> str:
        try:
            if command == "NAME":
                self.name = rest
            elif command == "ENTER":
                self.enter(rest)
            elif command == "POST":
                self.post(rest)
            else:
                raise Rejected("unknown command")
            return "OK"
        except Rejected as reason:
            return f"NO {reason}"

    def enter(self, session: str) -> None:
        if not self.name:
            raise Rejected("who are you?")
        if self.session:
            raise Rejected("you are in a session already")
        self.session = self.server.session(session)
        self.session.enter(self)

    def post(self, text: str) -> None:
        if not self.session:
            raise Rejected("you are in no session")
        self.session.post(self, text)

    def send(self, line: str) -> None:
        with self.sending:
            try:
                self.request.sendall(line.encode() + b"\n")
            except OSError:
                pass  # A client that has hung up hears nothing any more.

    def finish(self) -> None:
        if self.session:
            self.session.leave(self)
        super().finish()


class ChatServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, fault: str | None = None):
        super().__init__(("127.0.0.1", 0), Client)
        self.fault = fault
        self.lock = threading.Lock()
        self.sessions: dict[str, Session] = {}

    def session(self, name: str) -> Session:
        with self.lock:
            self.sessions = {name: session for name, session in self.sessions.items() if session.members}
            return self.sessions.setdefault(name, Session(self.fault))


def end_with_standard_input() -> None:
    """Whoever started the server holds the other end, and may die without saying so."""
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description="A chat server over TCP.")
    parser.add_argument("--fault", choices=FAULTS, help="a fault to order")
    server = ChatServer(parser.parse_args().fault)
    print("{}:{}".format(*server.server_address), flush=True)
    threading.Thread(target=end_with_standard_input, daemon=True).start()
    server.serve_forever()


if __name__ == "__main__":
    main()
