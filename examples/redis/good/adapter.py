"""Connects Redis to Interplay: starts the server on a free port of the loopback interface, is its two clients, and takes it
down at the end. An argument names a mistake to make on the way, so that the specification can be seen to notice it."""

from __future__ import annotations

import json
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from interplay import System, input, serve

#: Seconds. A server that says nothing for so long is broken, whatever it does wrong otherwise.
PATIENCE = 5
#: Milliseconds that a key lives, and a client waits, for a moment.
MOMENT = 40


class Push(list):
    """What the server says without being asked."""


class Problem(Exception):
    """An answer that is an error."""


class Client:
    """One connection, in version 3 of the protocol of Redis. A thread listens on it all the time."""

    def __init__(self, port, heard=lambda push: None):
        self.heard, self.answers = heard, queue.SimpleQueue()
        self.wire = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.wire.settimeout(None)
        self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self.lines = self.wire.makefile("rb")
        threading.Thread(target=self.listen, daemon=True).start()
        self.ask("HELLO", "3")

    def listen(self):
        try:
            while True:
                said = self.read()
                if not isinstance(said, Push) or said[0] in (b"subscribe", b"unsubscribe"):
                    self.answers.put(said)
                else:
                    self.heard(said)
        except (OSError, EOFError, ValueError):
            self.answers.put(EOFError("the server hung up"))

    def read(self):
        line = self.lines.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            return Problem(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"_" or rest == b"-1":
            return None
        if kind == b"$":
            return self.lines.read(int(rest) + 2)[:-2]
        if kind in b"*>":
            return (Push if kind == b">" else list)(self.read() for _ in range(int(rest)))
        if kind == b"%":
            return [self.read() for _ in range(2 * int(rest))]
        raise ValueError(f"the server says {line!r}")

    def send(self, *words):
        words = [str(word).encode() for word in words]
        parts = b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
        self.wire.sendall(b"*%d\r\n%s" % (len(words), parts))

    def ask(self, *words):
        self.send(*words)
        try:
            answer = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise TimeoutError(f"the server does not answer `{' '.join(map(str, words))}`") from None
        if isinstance(answer, EOFError):
            raise answer
        return answer

    def close(self):
        try:
            self.wire.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The server hung up before.
        self.wire.close()


class Redis(System):
    name = "redis-server"
    outputs = ["pop(c, item)", "message(c, channel, content)"]

    def __init__(self, control, port, mistake):
        # Whoever is still blocked since the last run would take what this run pushes.
        control.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        control.ask("FLUSHALL")
        self.mistake = mistake
        self.asked = {name: [] for name in ("ann", "bob")}
        self.clients = {name: Client(port, self.listener(name)) for name in self.asked}

    def listener(self, name):
        def heard(push):
            _, channel, content = push
            self.emit("message", c=name, channel=channel.decode(), content=text(content))

        return heard

    @input
    def ask(self, c, request):
        (kind, args), = request.items()
        words = self.words(kind, *args)
        answer = self.clients[c].ask(*words)
        if answer == b"QUEUED":
            self.asked[c].append(kind)
            return "queued"
        return {"done": [told(kind, answer)]}

    def words(self, kind, first, value=None):
        value = next(iter(value.values()))[0] if value else None
        if kind == "set_for_a_moment":
            return ("SET", first, value) if self.mistake == "keeps-all" else ("SET", first, value, "PX", MOMENT)
        if kind == "lrange":
            return ("LRANGE", first, 0, -1)
        if kind == "ttl":
            return ("PTTL", first)
        if kind == "rpush" and self.mistake == "pushes-in-front":
            return ("LPUSH", first, value)
        return (kind, first) if value is None else (kind, first, value)

    @input
    def watch(self, c, k):
        return control_reply(b"OK" if self.mistake == "never-watches" else self.clients[c].ask("WATCH", k))

    @input
    def multi(self, c):
        return control_reply(self.clients[c].ask("MULTI"))

    @input
    def discard(self, c):
        self.asked[c] = []
        return control_reply(self.clients[c].ask("DISCARD"))

    @input
    def exec(self, c):
        asked, self.asked[c] = self.asked[c], []
        answer = self.clients[c].ask("EXEC")
        if isinstance(answer, list):
            return {"executed": [[told(kind, each) for kind, each in zip(asked, answer, strict=True)]]}
        return "aborted" if answer is None else control_reply(answer)

    @input
    def blpop(self, c, k, patience):
        client = self.clients[c]
        client.send("BLPOP", k, 0 if patience == "for_ever" else MOMENT / 1000)
        threading.Thread(target=self.await_pop, args=(c, client), daemon=True).start()

    def await_pop(self, c, client):
        answer = client.answers.get()
        if not isinstance(answer, EOFError):
            self.emit("pop", c=c, item=told("lpop", answer[1] if isinstance(answer, list) else answer))

    @input
    def subscribe(self, c, channel):
        self.clients[c].ask("SUBSCRIBE", channel)

    @input
    def unsubscribe(self, c, channel):
        self.clients[c].ask("UNSUBSCRIBE", channel)

    @input
    def pause(self):
        time.sleep(3 * MOMENT / 1000)

    def close(self):
        for client in self.clients.values():
            client.close()


def text(raw):
    """In the words of the specification."""
    shown = raw.decode()
    return {"number": [int(shown)]} if shown.lstrip("-").isdigit() else {"word": [shown]}


def told(kind, answer):
    if isinstance(answer, Problem):
        known = {"WRONGTYPE": "wrong_type", "ERR value is not an integer": "not_an_integer"}
        for beginning, name in known.items():
            if str(answer).startswith(beginning):
                return name
        raise RuntimeError(f"the server answers `{answer}`, which the specification has no word for")
    if answer is None:
        return "nil"
    if isinstance(answer, int):
        return "a_moment_left" if kind == "ttl" and answer >= 0 else {"integer": [answer]}
    if isinstance(answer, list):
        return {"array": [[text(each) for each in answer]]}
    return "ok" if answer == b"OK" else {"bulk": [text(answer)]}


def control_reply(answer):
    if isinstance(answer, Problem):
        return "not_allowed"
    return {"done": [told("", answer)]}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def started():
    """A server that keeps nothing, and the port on which it listens. Another program may take the port first."""
    for _ in range(5):
        port = free_port()
        keeps_nothing = ["--save", "", "--appendonly", "no", "--dir", tempfile.gettempdir()]
        # Clients that are blocked give up at the next tick of the server's clock: by default that comes ten times a second.
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--hz", "100", *keeps_nothing]
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while server.poll() is None and time.monotonic() < deadline:
            try:
                return server, port, Client(port)
            except OSError:
                time.sleep(0.01)
        server.kill()
        server.wait()
    raise OSError("redis-server does not start")


def main():
    if shutil.which("redis-server") is None:
        message = "there is no redis-server here: setup/redis installs it, or apt-get install redis-server"
        print(json.dumps({"type": "error", "message": message}), flush=True)
        sys.exit(1)
    server, port, control = started()
    try:
        serve(Redis, control, port, sys.argv[1] if len(sys.argv) > 1 else "")
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
