"""A chat over WebSocket, with nothing but the standard library: whoever says something is heard by all, and told `{"ok": n}`."""
import base64, hashlib, json, socket, struct, sys, threading

everybody, lock = [], threading.Lock()


def send(link, text):
    data = text.encode()
    link.sendall(struct.pack("!BB", 0x81, len(data)) + data if len(data) < 126 else struct.pack("!BBH", 0x81, 126, len(data)) + data)


def serve(link):
    head = b""
    while b"\r\n\r\n" not in head:
        head += link.recv(1)
    key = [line.split(b": ")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key")][0]
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()
    link.sendall(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
    with lock:
        everybody.append(link)
    read = link.makefile("rb").read
    try:
        while True:
            first, length = read(2)
            length &= 127
            if length == 126:
                (length,) = struct.unpack("!H", read(2))
            mask, data = read(4), read(length)
            text = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
            if first & 15 == 8:
                break
            with lock:
                send(link, json.dumps({"ok": len(everybody)}))
                for other in everybody:
                    send(other, json.dumps({"said": json.loads(text)["say"]}))
    except (OSError, ValueError):
        pass
    with lock:
        everybody.remove(link)


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
