"""A queue of jobs behind a TCP port, one command per line: `put JOB` is answered by `ok` or `full`, `take` by a job or `empty`."""

import socket
import sys


class Queue:
    """The jobs stand in a ring of slots, so that nothing has to be moved."""

    def __init__(self, capacity):
        self.slots = [None] * capacity
        self.oldest = 0
        self.count = 0

    def put(self, job):
        self.slots[(self.oldest + self.count) % len(self.slots)] = job
        if self.count == len(self.slots):
            return "full"
        self.count += 1
        return "ok"

    def take(self):
        if self.count == 0:
            return "empty"
        job = self.slots[self.oldest]
        self.oldest = (self.oldest + 1) % len(self.slots)
        self.count -= 1
        return job


def main(capacity):
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(server.getsockname()[1], flush=True)
        while True:
            connection, _ = server.accept()
            queue = Queue(capacity)
            with connection, connection.makefile("rw") as lines:
                for line in lines:
                    command, _, job = line.strip().partition(" ")
                    print(queue.put(job) if command == "put" else queue.take(), file=lines, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
