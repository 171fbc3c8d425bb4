"""The door at an HTTP address: every POST is a message, `GET .../events?wait=ms` gives what it has to say."""

import http.server
import io
import queue
import threading
import time
import urllib.parse

from door import Door, serve


class Outgoing(io.RawIOBase):
    """What the kit writes, in lines."""

    def write(self, data):
        lines.put(bytes(data))
        return len(data)


class Incoming:
    """What the kit reads: the messages of the POST requests."""

    def __iter__(self):
        return iter(messages.get, None)


lines: "queue.Queue[bytes]" = queue.Queue()
messages: "queue.Queue[bytes | None]" = queue.Queue()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        messages.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(b"")

    def do_GET(self):
        wait = int(urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["wait"][0]) / 1000
        found, deadline = b"", time.monotonic() + wait
        try:
            found = lines.get(timeout=max(deadline - time.monotonic(), 0.001))
            while True:
                found += lines.get_nowait()
        except queue.Empty:
            self.answer(found)

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=serve, args=(Door,), kwargs={"read": Incoming(), "write": Outgoing()}, daemon=True).start()
server.serve_forever()
