"""Notes over HTTP, each user with a session; an argument names a fault."""
import http.server, json, sys

notes, sessions, fault = {}, {}, sys.argv[2] if len(sys.argv) > 2 else ""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def say(self, status, value=None, **headers):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, each in headers.items():
            self.send_header(name.replace("_", "-"), each)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def user(self):
        cookie = self.headers.get("Cookie", "")
        return sessions.get(cookie.partition("=")[2])

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "null")
        if self.path == "/reset":
            notes.clear(), sessions.clear()
            return self.say(204)
        if self.path.startswith("/login/"):
            sessions[f"s{len(sessions)}"] = self.path[7:]
            return self.say(200, {}, Set_Cookie=f"session=s{len(sessions) - 1}; Path=/")
        if fault == "garbage":
            self.wfile.write(b"nonsense\r\n\r\n")
            self.close_connection = True
            return
        if fault == "sleeps":
            import time
            time.sleep(60)
        if self.user() is None:
            return self.say(401, {"error": "who are you?"})
        notes[len(notes) + 1] = (self.user(), body["text"])
        self.say(201, {"id": len(notes)})

    def do_GET(self):
        number = int(self.path.rpartition("/")[2])
        if number not in notes:
            return self.say(404)
        self.say(200, {"by": notes[number][0], "text": notes[number][1]})

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
