"""Which parts of an address may hold a secret, and are left out of whatever is named by it.

Answers by the look of names and values alone. Declines to know what an application does with them: a parameter of an
innocent name that holds a secret is not recognised, and a harmless `?key=` is taken for one.
"""

from __future__ import annotations

import re
from typing import Final

WORDS: Final = frozenset(
    (
        *("apikey", "auth", "authorisation", "authorization", "bearer", "cookie", "credential", "credentials", "csrf"),
        *("csrftoken", "hmac", "jsessionid", "jwt", "key", "nonce", "otp", "pass", "passcode", "passphrase", "passwd"),
        *("password", "phpsessid", "pin", "pwd", "saml", "samlresponse", "secret", "sess", "sessid", "session"),
        *("sessionid", "sid", "sig", "sign", "signature", "signed", "ticket", "token", "tokens", "xsrf"),
    )
)
"""A name one of whose words is among these may hold a secret: `access_token`, `X-Amz-Signature`, `apiKey`."""
ALONE: Final = frozenset({"code", "state", "k", "hash", "sso", "invite", "invitation"})
"""Likewise where they are the whole name; in `country_code` they are not."""
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_IN_PATH: Final = re.compile(r";([^;/=]*)=[^;/]*")
OPAQUE: Final = 16
"""From this many characters on, letters mixed with digits and nothing else are no word that somebody chose."""


def is_secret_name(name: str) -> bool:
    """Whether a parameter of this name may hold a secret."""
    whole = re.sub(r"[^a-z]", "", name.lower())
    return whole in WORDS or whole in ALONE or any(word.lower() in WORDS for word in _WORD.findall(name))


def is_opaque(text: str) -> bool:
    """Whether a text is a code rather than a name: long, letters mixed with digits; or longer than any name."""
    bare = re.sub(r"[-_.~+/=%]", "", text)
    mixed = any(letter.isdigit() for letter in bare) and any(letter.isalpha() for letter in bare)
    return len(text) > 60 or (len(bare) >= OPAQUE and mixed and text.count("-") + text.count("_") < 4)


def without_path_secrets(path: str) -> str:
    """`/cart;jsessionid=1F` as `/cart;jsessionid`: of such a parameter in a path the name stays."""
    return _IN_PATH.sub(lambda match: f";{match[1]}" if is_secret_name(match[1]) else match[0], path)
