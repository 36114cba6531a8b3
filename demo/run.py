"""Serve the demo site on a free loopback port and run `bicameral check` on it.

The site has defects on purpose, so findings are the expected end: this exits 0 when the check could be done.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
STATE = Path(".bicameral") / "demo"


class Quiet(SimpleHTTPRequestHandler):
    """The standard file server without its log on stderr."""

    def log_message(self, format: str, *args: object) -> None:
        return


def routes() -> list[str]:
    """The site's pages, as its own list of truths names them."""
    truth = json.loads((HERE / "truth.json").read_text(encoding="utf-8"))
    return [f"/{page['path']}" for page in truth["pages"]]


def main(arguments: list[str]) -> int:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(HERE / "site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    STATE.mkdir(parents=True, exist_ok=True)
    report = STATE / "report.html"
    chosen = [] if "--routes" in arguments else ["--routes", ",".join(routes())]
    address = f"http://127.0.0.1:{server.server_port}"
    command = [sys.executable, "-m", "bicameral", "check", address, "--state", str(STATE)]
    try:
        status = subprocess.run([*command, *chosen, "--html", str(report), *arguments], check=False).returncode
    finally:
        server.shutdown()
    if status not in (0, 1):
        return status
    print(f"\nThe site has defects on purpose (demo/README.md lists them). The report to open: {report}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
