"""The store: runs, records, the backlog and cached verdicts in one SQLite file."""

from bicameral.storage._chain import KeptRow, LinkColumns
from bicameral.storage.cache import SqlNLIAnswers, SqlVerdictCache
from bicameral.storage.reader import Reader
from bicameral.storage.rows import BatchRow, ChainEntry, RecordRow, ReplyRow, RunRow, about_of, raw_of, reply_row
from bicameral.storage.store import BUSY_TIMEOUT_S, Store
from bicameral.storage.transaction import Transaction

__all__ = [
    "BUSY_TIMEOUT_S",
    "BatchRow",
    "ChainEntry",
    "KeptRow",
    "LinkColumns",
    "Reader",
    "RecordRow",
    "ReplyRow",
    "RunRow",
    "SqlNLIAnswers",
    "SqlVerdictCache",
    "Store",
    "Transaction",
    "about_of",
    "raw_of",
    "reply_row",
]
