"""The door at a TCP address: prints its port, and serves one connection after the other."""

import socket

from door import Door, serve

with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection:
            serve(Door, read=connection.makefile("rb"), write=connection.makefile("wb"))
