"""Which addresses may be opened, what their routes are called, and what of an address may be written down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.errors import TargetError
from bicameral.evidence.target import addresses, is_local, read_address, relative, route_key, without_addresses

ORIGIN = "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST.", "app.localhost", "127.0.0.1", "127.9.8.7", "[::1]", "[::ffff:127.0.0.1]"],
)
def test_this_machines_own_names_may_be_opened(host: str) -> None:
    assert read_address(f"http://{host}:8000/").local


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "localhost.example.com",
        "notlocalhost",
        "127.0.0.1.example.com",
        "10.0.0.1",
        "192.168.1.1",
        "0.0.0.0",
        "[fe80::1]",
        "169.254.169.254",
        "2130706433",
    ],
)
def test_another_host_is_refused_unless_it_is_allowed(host: str) -> None:
    with pytest.raises(TargetError, match="--allow-remote"):
        read_address(f"http://{host}/")
    assert not read_address(f"http://{host}/", allow_remote=True).local


@pytest.mark.parametrize(
    "text",
    ["", "127.0.0.1:8000", "localhost:8000/x", "file:///etc/passwd", "ftp://localhost/", "javascript:alert(1)",
     "http://", "http://localhost:99999/", "http://[::1", "data:text/html,hi", "//localhost/"],
)  # fmt: skip
def test_what_is_no_web_address_is_refused_with_the_mend(text: str) -> None:
    with pytest.raises(TargetError, match="Write it as http"):
        read_address(text)


@pytest.mark.parametrize(
    "text",
    ["http://me:s3cret@example.com/", "ftp://me:s3cret@localhost/", "http://me:s3cret@localhost:99999/?t=s3cret"],
)
def test_credentials_are_in_no_message(text: str) -> None:
    with pytest.raises(TargetError) as caught:
        read_address(text)
    assert "s3cret" not in str(caught.value)


def test_credentials_are_kept_apart_from_the_address() -> None:
    address = read_address("http://me:s3%20cret@localhost:8000/a?token=hush")
    assert (address.user, address.password) == ("me", "s3 cret")
    assert address.url == "http://localhost:8000/a?token=hush"
    assert "cret" not in repr(address)
    assert address.shown == "http://localhost:8000/a"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://localhost:8000", "/"),
        ("http://localhost:8000/", "/"),
        ("http://localhost:8000/a/b", "/a/b"),
        ("http://localhost:8000/a/", "/a/"),
        ("http://localhost:9/a b", "/a%20b"),
        ("http://localhost:8000/#/settings/profile", "/#/settings/profile"),
    ],
)
def test_a_route_is_known_by_its_path(url: str, key: str) -> None:
    assert read_address(url).route == key


def test_two_routes_that_differ_by_query_alone_stay_two_and_show_no_value() -> None:
    first, second = route_key(f"{ORIGIN}/find?q=ships&page=1"), route_key(f"{ORIGIN}/find?q=piers&page=1")
    assert first != second
    assert first.startswith("/find;page,q~")
    assert "ships" not in first
    assert "?" not in first


def test_the_order_of_parameters_makes_no_other_route() -> None:
    assert route_key(f"{ORIGIN}/find?q=1&page=2") == route_key(f"{ORIGIN}/find?page=2&q=1")


def test_a_token_in_a_fragment_is_in_no_key() -> None:
    assert route_key(f"{ORIGIN}/#access_token=hush") == "/#;access_token"
    assert route_key(f"{ORIGIN}/#/reset?token=hush") == "/#/reset;token"


@pytest.mark.parametrize(
    "name",
    ["token", "access_token", "accessToken", "api-key", "apiKey", "key", "X-Amz-Signature", "sig", "SID", "PHPSESSID",
     "session_id", "code", "state", "password", "newPassword", "jwt", "otp", "csrf-token", "auth"],
)  # fmt: skip
@pytest.mark.parametrize("address", ["/a?{}={}", "/a?page=2&{}={}", "/a#{}={}", "/a;{}={}", "/a/b;{}={}/c?page=2"])
def test_the_value_of_a_parameter_named_like_a_secret_is_no_part_of_a_key(name: str, address: str) -> None:
    keys = {route_key(ORIGIN + address.format(name, value)) for value in ("1234", "9999", "a.b-c", "")}
    (key,) = keys
    assert name in key


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("?country_code=de", "?country_code=fr"),
        ("?q=key", "?q=code"),
        ("?page=1&token=a", "?page=2&token=a"),
        ("?monkey=1", "?monkey=2"),
        ("?author=ann", "?author=bob"),
        ("?tokens_page", "?pages"),
        ("#about", "#prices"),
        ("#view=list", "#view=grid"),
    ],
)
def test_routes_that_differ_in_anything_else_stay_two(first: str, second: str) -> None:
    assert route_key(f"{ORIGIN}/a{first}") != route_key(f"{ORIGIN}/a{second}")


@pytest.mark.parametrize("code", ["9f8a7b6c5d4e3f2a1b", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "a" * 80])
@pytest.mark.parametrize("sign", ["?", "#", "#/reset?"])
def test_a_code_that_stands_alone_is_in_no_key(code: str, sign: str) -> None:
    key = route_key(f"{ORIGIN}/reset{sign}{code}")
    assert code[:12] not in key
    assert key.endswith("*")


def test_two_routes_that_only_a_secret_tells_apart_are_refused_with_the_mend() -> None:
    with pytest.raises(TargetError, match="both named /reset;token") as caught:
        addresses("http://localhost:8000/", ("/reset?token=hush", "/reset?token=mum"))
    assert "hush" not in str(caught.value)
    assert "Leave one out" in str(caught.value)


def test_a_session_in_a_path_is_in_nothing_that_is_stored() -> None:
    url = "http://127.0.0.1:8000/cart;jsessionid=hush/item;page=2"
    assert route_key(url) == relative(url, ORIGIN) == "/cart;jsessionid/item;page=2"


def test_a_key_is_the_same_at_every_port_and_host() -> None:
    assert route_key("http://localhost:1/a?x=1") == route_key("https://app.localhost:2/a?x=1")


def test_routes_are_opened_in_the_order_given_and_once() -> None:
    found = addresses("http://me:pw@localhost:8000/base/", ("/b", "a", "/b", "http://localhost:8000/c", ""))
    assert [address.route for address in found] == ["/b", "/base/a", "/c", "/base/"]
    assert {address.user for address in found} == {"me"}


def test_no_routes_means_the_address_itself() -> None:
    assert [address.url for address in addresses("http://localhost:8000/a?b=1", ())] == ["http://localhost:8000/a?b=1"]


@pytest.mark.parametrize("route", ["http://localhost:8001/", "//127.0.0.1:8000/x", "https://localhost:8000/"])
def test_a_route_off_the_origin_is_refused(route: str) -> None:
    with pytest.raises(TargetError, match="not on http://localhost:8000"):
        addresses("http://localhost:8000/", (route,))


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://127.0.0.1:8000/a.png?sig=hush#x", "/a.png"),
        ("http://127.0.0.1:8000", "/"),
        ("http://127.0.0.1:9000/a.png", "http://127.0.0.1"),
        ("https://me:pw@cdn.example.com:444/a/b?c", "https://cdn.example.com"),
        ("data:image/png;base64,AAAA", "data:"),
        ("/pictures/a.png?token=hush", "/pictures/a.png"),
        ("http://[", "(unreadable address)"),
    ],
)
def test_what_is_stored_of_an_address(url: str, kept: str) -> None:
    assert relative(url, ORIGIN) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("GET http://127.0.0.1:8000/api?key=hush 404", "GET /api 404"),
        ("at http://127.0.0.1:8000/app.js:10:5", "at /app.js:10:5"),
        ("'ws://127.0.0.1:8000/live?t=hush' failed", "'ws://127.0.0.1' failed"),
        ("https://a:b@cdn.example.com/x?y said no", "https://cdn.example.com said no"),
        ("127.0.0.1:8000 refused", "(this host) refused"),
        ("nothing here", "nothing here"),
    ],
)
def test_texts_of_a_page_lose_their_addresses(text: str, kept: str) -> None:
    assert without_addresses(text, ORIGIN) == kept


@given(st.text(max_size=60))
def test_no_text_whatever_makes_anything_but_a_target_error(text: str) -> None:
    try:
        address = read_address(text, allow_remote=True)
    except TargetError:
        return
    assert address.url.startswith(("http://", "https://"))


@given(st.text(max_size=40))
def test_no_host_whatever_breaks_the_question(host: str) -> None:
    assert is_local(host) in (True, False)


@given(st.text(max_size=80))
def test_nothing_that_a_page_says_breaks_the_cleaning(text: str) -> None:
    relative(text, ORIGIN)
    without_addresses(text, ORIGIN)
