"""The program that a verification starts to have more links examined at once: batches in, reports out.

Started by `_audit_pool` as `python -P -m bicameral.witness._audit_worker`. It ends with its stdin, and opens no file
and no connection.
"""

from __future__ import annotations

import gc
import signal
import sys
from contextlib import suppress

import msgspec

from bicameral.witness._audit_pool import Batch, examine_batch, receive, send


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program that started this one says when it is over
    gc.set_threshold(50_000)  # what is read here is no cycle, and is let go with its batch
    read, write = msgspec.msgpack.Decoder(Batch).decode, msgspec.msgpack.Encoder().encode
    with suppress(BrokenPipeError, EOFError):
        while (body := receive(sys.stdin.buffer)) is not None:
            send(sys.stdout.buffer, write(examine_batch(read(body))))


if __name__ == "__main__":
    main()
