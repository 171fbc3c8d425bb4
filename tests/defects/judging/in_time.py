"""Takes requests and never answers."""
from interplay import System, input, serve


class Server(System):
    outputs = ["response(n)"]

    @input
    def request(self, n):
        pass


serve(Server)
