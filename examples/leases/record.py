"""Records what MONITOR of a real Redis server shows of a few clients: `python3 record.py good > good.log`, `... faulty > faulty.log`.

The faulty client counts whether or not its SET ... NX was answered with OK."""

import random
import socket
import subprocess
import sys
import tempfile
import time


class Link:
    """One connection: commands in RESP, answers as lines."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def line(self):
        return self.file.readline().decode().rstrip("\r\n")

    def say(self, *words):
        text = "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
        self.socket.sendall(f"*{len(words)}\r\n{text}".encode())
        return self.line()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connected(port):
    for _ in range(100):
        try:
            return Link(port)
        except OSError:
            time.sleep(0.05)
    sys.exit("redis-server does not answer")


def clients(port, faulty):
    """Three clients take turns by chance; now and then one of them is so slow that its lease is over."""
    random.seed(7)
    names = ["ann", "bob", "cy"]
    links = {name: Link(port) for name in names}
    links["ann"].say("FLUSHALL")
    has = {}
    for turn in range(60):
        name = random.choice(names)
        link = links[name]
        if has.get(name, 0) > time.monotonic():
            link.say("INCR", f"by:{name}")
            if random.random() < 0.6:
                link.say("DEL", "lock", name)
                del has[name]
        elif link.say("SET", "lock", name, "NX", "PX", "200") == "+OK" or (faulty and turn > 40):
            has[name] = time.monotonic() + 0.1
        if random.random() < 0.05:
            time.sleep(0.3)


def main():
    faulty = sys.argv[1:] == ["faulty"]
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = ["redis-server", "--port", str(port), "--save", "", "--dir", folder]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            watch = connected(port)
            print(watch.say("MONITOR").lstrip("+"))
            clients(port, faulty)
            connected(port).say("PING")
            while '"PING"' not in (line := watch.line().lstrip("+")):
                print(line)
        finally:
            server.terminate()
            server.wait()


main()
