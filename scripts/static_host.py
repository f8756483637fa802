"""A plain static host on 127.0.0.1, for tests and measurements.

It does what a common host of static pages does and no more: a sub-path, gzip, the right media
types, ten minutes of caching, and no special headers.
"""

from __future__ import annotations

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

PREFIX = "/dpdocs/"
PACKED = {".woff2", ".png", ".gz", ".br", ".zip", ".whl"}
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}


@lru_cache(maxsize=512)
def _response(path: Path, zipped: bool, changed: int) -> tuple[bytes, str]:
    """Return the body and its entity tag; `changed` makes an edited file a new entry."""
    data = path.read_bytes()
    body = gzip.compress(data, 6, mtime=0) if zipped else data
    return body, f'"{sha256(body).hexdigest()[:16]}"'


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Path
    prefix: str

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        file = self.site / path.removeprefix(self.prefix).lstrip("/")
        if file.is_dir():
            if not path.endswith("/"):
                self._send(301, b"", {"Location": path + "/"})
                return
            file = file / "index.html"
        inside = self.site.resolve() in file.resolve().parents
        if not path.startswith(self.prefix) or not inside or not file.is_file():
            self._send(404, b"not found", {"Content-Type": "text/plain"})
            return
        kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        zipped = accepts and file.suffix not in PACKED
        body, tag = _response(file, zipped, file.stat().st_mtime_ns)
        headers = {
            "Content-Type": kind or "application/octet-stream",
            "Cache-Control": "max-age=600",
            "ETag": tag,
            "Vary": "Accept-Encoding",
        }
        if zipped:
            headers["Content-Encoding"] = "gzip"
        if self.headers.get("If-None-Match") == tag:
            self._send(304, b"", headers)
        else:
            self._send(200, body, headers)

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: a test prints what it found, not what was asked for."""


@contextmanager
def serve(site: Path, prefix: str = PREFIX) -> Iterator[str]:
    """Serve a folder under a sub-path while the context lasts; yield its address."""
    handler = type("Handler", (_Handler,), {"site": site, "prefix": prefix})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{prefix}"
        server.shutdown()
