import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../sdk/python"))
from interplay import System, input, serve

server = subprocess.Popen([sys.executable, sys.argv[1], "2"], stdout=subprocess.PIPE, text=True)
port = int(server.stdout.readline())


class Queue(System):
    def __init__(self):  # a reset: a new connection has an empty queue
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.lines = self.connection.makefile("rw")

    def close(self):
        self.lines.close()
        self.connection.close()

    def ask(self, command):
        print(command, file=self.lines, flush=True)
        return self.lines.readline().strip()

    @input
    def put(self, job):
        return self.ask(f"put {job}") == "ok"

    @input
    def take(self):
        job = self.ask("take")
        return None if job == "empty" else job


try:
    serve(Queue)
finally:
    server.kill()
