"""One retry layer, deadlines, secrets, pictures and loops, over each vendor's own wire."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import traceback
from collections.abc import Sequence
from email.utils import formatdate
from typing import Any

import pytest

from bicameral.errors import ConfigError, ProviderFailed
from bicameral.providers import (
    Answer,
    ModelClient,
    OutputMode,
    Picture,
    Question,
    RetryPolicy,
    open_llm,
    resolve_access,
)
from bicameral.providers import _wire as wire
from bicameral.testing.model_servers import (
    AnthropicServer,
    CompatibleServer,
    Cut,
    Fault,
    GoogleServer,
    Hang,
    ModelServer,
    OllamaServer,
    OpenAIServer,
    Raw,
    Reset,
    Say,
    Step,
)

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
GOOD = '{"word": "yes"}'
QUICK = RetryPolicy(tries=3, first_s=0.01)

VENDORS: list[tuple[type[ModelServer], str]] = [
    (OpenAIServer, "openai:gpt-5.2"),
    (AnthropicServer, "anthropic:claude-haiku-5-5"),
    (GoogleServer, "google:gemini-2.5-flash"),
    (OllamaServer, "ollama:qwen3"),
    (CompatibleServer, "openai-compatible:m"),
]
each_vendor = pytest.mark.parametrize(("kind", "model"), VENDORS, ids=[name for _, name in VENDORS])


def client(
    server: ModelServer,
    model: str,
    *,
    timeout_s: float | None = 20.0,
    output: OutputMode | None = None,
    policy: RetryPolicy = QUICK,
) -> ModelClient:
    access = resolve_access(model, {}, base_url=server.base_url, key=server.key)
    return ModelClient(access, timeout_s=timeout_s, policy=policy, output=output, jitter=lambda: 0.0)


async def asked(
    kind: type[ModelServer], model: str, steps: Sequence[Step], question: Question | None = None, **how: Any
) -> tuple[Answer, ModelServer]:
    with kind(steps) as server:
        async with client(server, model, **how) as one:
            return await one.ask(question or Question(prompt="Well?", schema=SCHEMA)), server


async def failed(
    kind: type[ModelServer], model: str, steps: Sequence[Step], **how: Any
) -> tuple[ProviderFailed, ModelServer]:
    with kind(steps) as server:
        async with client(server, model, **how) as one:
            with pytest.raises(ProviderFailed) as caught:
                await one.ask(Question(prompt="Well?", schema=SCHEMA))
            return caught.value, server


@each_vendor
@pytest.mark.parametrize(
    "trouble",
    [
        Fault(429, headers={"Retry-After": "0"}),
        Fault(429, headers={"Retry-After": formatdate(1_700_000_000, usegmt=True)}),
        Fault(500),
        Fault(503),
        Fault(529),
        Fault(200, "overloaded"),
        Cut(),
        Reset(),
    ],
    ids=["429", "429-date", "500", "503", "529", "200-with-error", "cut", "reset"],
)
async def test_a_passing_trouble_is_asked_again(kind: type[ModelServer], model: str, trouble: Step) -> None:
    if kind is OllamaServer and trouble == Fault(200, "overloaded"):
        trouble = Raw(b'{"error": {"message": "busy", "type": "api_error", "code": 503}}')
    answer, server = await asked(kind, model, [trouble, Say(GOOD)])
    assert json.loads(answer.text) == {"word": "yes"}
    assert answer.spend.calls == len(server.requests) == 2


@each_vendor
@pytest.mark.parametrize(
    ("trouble", "kind_of_failure"),
    [(Fault(401), "unauthorised"), (Fault(404), "refused"), (Fault(400), "refused"), (Raw(b"<html>"), "unreadable")],
    ids=["401", "404", "400", "page"],
)
async def test_a_lasting_trouble_is_asked_once(
    kind: type[ModelServer], model: str, trouble: Step, kind_of_failure: str
) -> None:
    failure, server = await failed(kind, model, [trouble, Say(GOOD)])
    assert failure.kind == kind_of_failure
    assert len(server.requests) == 1
    assert failure.__cause__ is not None


@each_vendor
async def test_an_unknown_model_is_named(kind: type[ModelServer], model: str) -> None:
    with kind([Say(GOOD)], models=["another"]) as server:
        async with client(server, model) as one:
            with pytest.raises(ProviderFailed, match=model.partition(":")[2]) as caught:
                await one.ask(Question(prompt="Well?"))
    assert caught.value.kind == "refused"
    assert "Check" in str(caught.value) or "ollama pull" in str(caught.value)


@each_vendor
async def test_it_gives_up_after_its_tries_and_says_how_many(kind: type[ModelServer], model: str) -> None:
    failure, server = await failed(kind, model, [Fault(529)] * 5)
    assert failure.kind == "overloaded"
    assert len(server.requests) == 3
    assert "asked 3 times" in str(failure)


@each_vendor
async def test_a_wait_past_the_deadline_is_not_waited_for(kind: type[ModelServer], model: str) -> None:
    failure, server = await failed(kind, model, [Fault(429, headers={"Retry-After": "3600"}), Say(GOOD)])
    assert failure.kind == "overloaded"
    assert len(server.requests) == 1


@each_vendor
@pytest.mark.parametrize("begin", [False, True])
async def test_a_silent_server_times_out_and_is_hung_up_on(kind: type[ModelServer], model: str, begin: bool) -> None:
    with kind([Hang(begin=begin)]) as server:
        async with client(server, model, timeout_s=0.5) as one:
            with pytest.raises(ProviderFailed) as caught:
                await one.ask(Question(prompt="Well?"))
        assert server.hung_up.wait(10)
    assert caught.value.kind == "timed-out"


@each_vendor
@pytest.mark.parametrize("begin", [False, True])
async def test_a_cancelled_caller_closes_the_connection(kind: type[ModelServer], model: str, begin: bool) -> None:
    with kind([Hang(begin=begin)]) as server:
        async with client(server, model) as one:
            task = asyncio.create_task(one.ask(Question(prompt="Well?")))
            while not server.requests:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert server.hung_up.wait(10)


@each_vendor
@pytest.mark.parametrize("status", [400, 401, 429, 500, 200])
async def test_no_message_of_any_exception_holds_the_key(kind: type[ModelServer], model: str, status: int) -> None:
    echo = Fault(status, "server" if status == 200 else None, message=f"you sent {kind.key}, which is wrong")
    failure, _ = await failed(kind, model, [echo] * 3)
    assert kind.key not in "".join(traceback.format_exception(failure))


@each_vendor
async def test_an_answer_is_kept_as_it_came_without_the_key(kind: type[ModelServer], model: str) -> None:
    said = json.dumps({"word": kind.key})
    answer, _ = await asked(kind, model, [Say(said)])
    assert json.loads(answer.text) == {"word": "[key]"}
    assert json.loads(answer.raw)
    assert kind.key not in answer.raw
    assert (answer.spend.input_tokens, answer.spend.output_tokens) == (11, 7)
    assert answer.model.startswith(model.partition(":")[2])


@each_vendor
@pytest.mark.parametrize(("finish", "text"), [("length", '{"wor'), ("refusal", "")])
async def test_why_it_stopped_is_part_of_an_answer(kind: type[ModelServer], model: str, finish: Any, text: str) -> None:
    answer, server = await asked(kind, model, [Say(text, finish=finish), Say(GOOD)])
    assert answer.finish == finish
    assert len(server.requests) == 1


@each_vendor
async def test_pictures_go_along_in_order(kind: type[ModelServer], model: str) -> None:
    pictures = (Picture(data=b"first", media_type="image/png"), Picture(data=b"second", media_type="image/webp"))
    _, server = await asked(
        kind, model, [Say(GOOD)], Question(prompt="Look.", pictures=pictures, instructions="Be brief.")
    )
    body = json.dumps(server.requests[0].body)
    assert 0 < body.index("Zmlyc3Q=") < body.index("c2Vjb25k")  # their base64
    assert "image/png" in body
    assert "image/webp" in body
    assert "Be brief." in body


@each_vendor
async def test_the_schema_is_put_to_the_api_itself(kind: type[ModelServer], model: str) -> None:
    _, server = await asked(kind, model, [Say(GOOD)], Question(prompt="Well?", schema=SCHEMA, temperature=0.0))
    body = server.requests[0].body
    form = {
        "openai": lambda: body["text"]["format"]["schema"],
        "anthropic": lambda: body["output_config"]["format"]["schema"],
        "google": lambda: body["generationConfig"]["responseJsonSchema"],
        "ollama": lambda: body["response_format"]["json_schema"]["schema"],
        "openai-compatible": lambda: body["response_format"]["json_schema"]["schema"],
    }[model.partition(":")[0]]()
    assert form["properties"]["word"]["type"] == "string"
    assert form["required"] == ["word"]


@each_vendor
@pytest.mark.parametrize("output", ["tool", "prompted"])
async def test_a_schema_can_be_put_by_a_tool_or_in_words(
    kind: type[ModelServer], model: str, output: OutputMode
) -> None:
    answer, server = await asked(kind, model, [Say(GOOD)], output=output)
    assert json.loads(answer.text) == {"word": "yes"}
    body = server.requests[0].body
    assert bool(body.get("tools")) == (output == "tool")
    assert "word" in json.dumps(body)


async def test_an_older_model_that_takes_no_schema_is_held_by_a_tool() -> None:
    answer, server = await asked(AnthropicServer, "anthropic:claude-opus-4-0", [Say(GOOD)])
    assert json.loads(answer.text) == {"word": "yes"}
    assert server.requests[0].body["tool_choice"] == {"type": "any"}


async def test_an_overload_in_the_middle_of_a_stream_is_asked_again() -> None:
    event = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    start = 'event: message_start\ndata: {"type": "message_start", "message": {}}\n\n'
    broken = Raw(
        f"{start}event: error\ndata: {json.dumps(event)}\n\n".encode(), headers={"Content-Type": "text/event-stream"}
    )
    answer, server = await asked(AnthropicServer, "anthropic:claude-haiku-5-5", [broken, Say(GOOD)])
    assert json.loads(answer.text) == {"word": "yes"}
    assert len(server.requests) == 2


@each_vendor
async def test_a_temperature_of_zero_is_sent_as_zero(kind: type[ModelServer], model: str) -> None:
    model = model.replace("haiku-5-5", "haiku-4-5")  # the newer ones take none
    _, server = await asked(kind, model, [Say(GOOD)], Question(prompt="Well?", temperature=0.0))
    body = server.requests[0].body
    assert body.get("generationConfig", body)["temperature"] == 0.0


@pytest.mark.parametrize(
    ("kind", "model", "sent"),
    [
        (OpenAIServer, "openai:gpt-5.2", True),
        (OpenAIServer, "openai:gpt-5", False),
        (OpenAIServer, "openai:o3", False),
        (AnthropicServer, "anthropic:claude-haiku-5-5", False),
    ],
)
async def test_a_temperature_is_sent_only_where_it_is_taken(kind: type[ModelServer], model: str, sent: bool) -> None:
    _, server = await asked(kind, model, [Say(GOOD)], Question(prompt="Well?", temperature=0.0))
    assert ("temperature" in server.requests[0].body) is sent


async def test_openai_is_asked_to_store_nothing() -> None:
    _, server = await asked(OpenAIServer, "openai:gpt-5.2", [Say(GOOD)])
    assert server.requests[0].body["store"] is False


async def test_a_server_of_somebodys_own_is_told_of_no_organisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-private")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai-0123456789")
    with OllamaServer([Say(GOOD)]) as server:
        llm = open_llm("ollama:qwen3", base_url=server.base_url, environment={})
        await llm.generate_json("Well?", schema=SCHEMA, temperature=0.0)
        await llm.aclose()
    said = str(server.requests[0].headers)
    assert "private" not in said
    assert "sk-of-openai" not in said


async def test_a_redirect_is_not_followed_with_the_key() -> None:
    with OpenAIServer([Say(GOOD)]) as elsewhere:
        away = Raw(b"", status=307, headers={"Location": f"{elsewhere.base_url}/responses"})
        failure, _ = await failed(OpenAIServer, "openai:gpt-5.2", [away])
    assert failure.kind == "unreachable"
    assert "redirects" in str(failure)
    assert elsewhere.requests == []


async def test_nobody_listening_says_where_the_address_is_read_from() -> None:
    with OllamaServer() as server:
        url = server.base_url
    one = ModelClient(resolve_access("ollama:qwen3", {}, base_url=url), policy=QUICK, jitter=lambda: 0.0)
    with pytest.raises(ProviderFailed, match="OLLAMA_BASE_URL") as caught:
        await one.ask(Question(prompt="Well?"))
    await one.aclose()
    assert caught.value.kind == "unreachable"
    assert "asked" not in str(caught.value)  # nobody begins to listen here because we wait


async def test_what_the_library_will_not_send_is_refused_in_its_words() -> None:
    failure, server = await failed(AnthropicServer, "anthropic:claude-opus-4-0", [Say(GOOD)], output="native")
    assert failure.kind == "refused"
    assert "was not asked" in str(failure)
    assert "Native structured output" in str(failure)
    assert server.requests == []


async def test_a_reply_beyond_the_limit_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "REPLY_LIMIT", 10_000)
    failure, server = await failed(OllamaServer, "ollama:qwen3", [Say("x" * 20_000), Say(GOOD)])
    assert failure.kind == "unreadable"
    assert len(server.requests) == 1


async def test_a_server_that_takes_no_schema_says_so_and_is_asked_in_words() -> None:
    class Plain(CompatibleServer):
        native = False

    failure, _ = await failed(Plain, "openai-compatible:m", [Say(GOOD)])
    assert failure.kind == "refused"
    assert "response_format" in str(failure)
    answer, _ = await asked(Plain, "openai-compatible:m", [Say(GOOD)], output="prompted")
    assert json.loads(answer.text) == {"word": "yes"}


async def test_many_at_once_do_not_mix_their_answers() -> None:
    class Echo(CompatibleServer):
        def answer(self, step: Say, seen: Any) -> tuple[bytes, str]:
            return super().answer(Say(json.dumps({"word": seen.body["messages"][-1]["content"]})), seen)

    with Echo([Fault(500), *[Say()] * 20]) as server:
        async with client(server, "openai-compatible:m") as one:
            asked = [one.ask(Question(prompt=f"word {n}", schema=SCHEMA)) for n in range(20)]
            answers = await asyncio.gather(*asked)
    for n, answer in enumerate(answers):
        assert json.loads(answer.text) == {"word": f"word {n}"}
        assert f"word {n}" in answer.raw
    assert sum(answer.spend.calls for answer in answers) == 21


def test_one_client_serves_one_loop_after_another_and_leaves_no_socket() -> None:
    with CompatibleServer([Say(GOOD)] * 3) as server:
        llm = open_llm("openai-compatible:m", base_url=server.base_url, key=server.key)
        for _ in range(3):
            said = asyncio.run(llm.generate_json("Well?", schema=SCHEMA, temperature=0.0))
            assert said == {"word": "yes"}


def test_nothing_heavy_is_loaded_until_a_model_is_asked() -> None:
    code = (
        "import sys, bicameral.providers as p; p.open_llm('openai:gpt-5.2', key='k' * 20);"
        "print([m for m in ('pydantic_ai', 'openai', 'httpx', 'httpx2', 'anthropic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_library_that_is_not_installed_is_named_with_the_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bicameral.providers._models", None)
    monkeypatch.delattr("bicameral.providers._models", raising=False)
    one = ModelClient(resolve_access("ollama:qwen3", {}))
    with pytest.raises(ConfigError, match=r"bicameral\[api\]"):
        await one.ask(Question(prompt="Well?"))
