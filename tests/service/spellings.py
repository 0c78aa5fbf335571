"""Spellings of a path that a proxy and the server may read differently, and requests that are sent as spelled."""

import socket

from tests.support.processes.servers import PATIENCE

SPELLED = {
    "doubled at the start": lambda path: "/" + path,
    "three at the start": lambda path: "//" + path,
    "doubled at the end": lambda path: "/".join([path.rpartition("/")[0], "", path.rpartition("/")[2]]),
    "a slash at the end": lambda path: path + "/",
    "two at the end": lambda path: path + "//",
    "an encoded slash at the start": lambda path: "/%2f" + path[1:],
    "an encoded slash at the end": lambda path: path + "%2F",
    "all slashes encoded": lambda path: "/" + path[1:].replace("/", "%2f") + ("" if path.count("/") > 1 else "%2f"),
    "a dot": lambda path: "/." + path,
    "two dots": lambda path: "/x/.." + path,
    "encoded dots": lambda path: "/x/%2e%2E" + path,
    "dots at the end": lambda path: path + "/x/..",
    "a letter encoded": lambda path: f"/%{ord(path[1]):02x}{path[2:]}",
    "another case": lambda path: path.upper(),
    "encoded twice": lambda path: f"/%25{ord(path[1]):02x}{path[2:]}",
    "a parameter of its own": lambda path: path + ";a=b",
}


def sent(server, path, *headers, method="GET"):
    """Send a request with a path exactly as it is spelled; return its status and its headers."""
    host = server.origin.removeprefix("http://")
    address, _, port = host.rpartition(":")
    lines = [f"{method} {path} HTTP/1.1", f"host: {host}", "connection: close", "content-length: 0", *headers, "", ""]
    with socket.create_connection((address, int(port)), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join(lines).encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    head = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    return int(head[0].split()[1]), dict(line.lower().split(": ", 1) for line in head[1:])
