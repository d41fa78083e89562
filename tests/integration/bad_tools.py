"""An MCP server whose tools break the multi-item contract, each in one way; `keeps_the_contract` is the same tool without a fault.

`python -m tests.integration.bad_tools FOLDER` serves it on a free port, said in the first line. FOLDER gets one byte per effect in a
file named after the tool. `python -m tests.integration.bad_tools FOLDER stdio` serves it over stdio.
"""

import asyncio
import hashlib
import socket
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True)
READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True)
Answer = dict[str, Any]


class Works:
    """The good tool; subclasses spoil one thing."""

    hints = WRITES

    def __init__(self, folder: Path) -> None:
        self.name = type(self).__name__
        self.effects = folder / self.name
        self.effects.touch()
        self.answers: dict[str, Answer] = {}
        self.running: set[str] = set()
        self.tasks: set[asyncio.Task[Answer]] = set()
        self.numbers = count()

    async def tool(
        self, items: list[str], idempotency_key: str, receipt: str = "", work_s: float = 0
    ) -> dict[str, Any]:
        if idempotency_key in self.answers:
            return self.answers[idempotency_key]
        self.running.add(idempotency_key)
        task = asyncio.create_task(self.work(items, idempotency_key, receipt, work_s))
        self.tasks.add(task)
        return await asyncio.shield(task)

    async def work(self, items: list[str], key: str, receipt: str, work_s: float) -> Answer:
        await asyncio.sleep(work_s)
        answer = self.answer([self.result(item, key) for item in items], receipt)
        self.answers[key] = answer
        return answer

    def result(self, item: str, key: str) -> Answer:
        for beginning, reason in (("unknown", "not_found"), ("blocked", "blocked")):
            if item.startswith(beginning):
                return {"subject": item, "success": False, "reason": reason}
        self.done()
        return {"subject": item, "success": True, "protocol": hashlib.sha256(f"{key} {item}".encode()).hexdigest()[:8]}

    def done(self) -> None:
        with self.effects.open("ab") as file:
            file.write(b".")

    def answer(self, results: list[Answer], receipt: str) -> Answer:
        if receipt == "fails":
            return {"ok": False, "error": "receipt_not_sent", "result": {"results": results}}
        return {"ok": True, "result": {"results": results}}

    def status(self, key: str) -> Answer:
        if key in self.answers:
            return {"status": "done", "result": self.answers[key]}
        return {"status": "in_progress"} if key in self.running else {"status": "unknown_key"}


class keeps_the_contract(Works):  # noqa: N801 - named as the tool is
    pass


class takes_one_string(Works):  # noqa: N801
    async def tool(  # type: ignore[override]
        self, items: str, idempotency_key: str, receipt: str = "", work_s: float = 0
    ) -> dict[str, Any]:
        return await super().tool(items.split(", "), idempotency_key, receipt, work_s)


class says_it_only_reads(Works):  # noqa: N801
    hints = READS


class fails_as_a_whole(Works):  # noqa: N801
    def result(self, item: str, key: str) -> Answer:
        if item.startswith("unknown"):
            raise ToolError(f"{item} does not exist")
        return super().result(item, key)


class has_one_flag_for_all(Works):  # noqa: N801
    def answer(self, results: list[Answer], receipt: str) -> Answer:
        return {"ok": all(result["success"] for result in results), "message": "processed", "protocol": "1"}


class forgets_failures(Works):  # noqa: N801
    def answer(self, results: list[Answer], receipt: str) -> Answer:
        return super().answer([result for result in results if result["success"]], receipt)


class writes_flags_as_text(Works):  # noqa: N801
    def result(self, item: str, key: str) -> Answer:
        result = super().result(item, key)
        return result | {"success": str(result["success"]).lower()}


class shuffles(Works):  # noqa: N801
    def answer(self, results: list[Answer], receipt: str) -> Answer:
        return super().answer(results[::-1], receipt)


class adds_items(Works):  # noqa: N801
    def answer(self, results: list[Answer], receipt: str) -> Answer:
        return super().answer([*results, {"subject": "Z", "success": True, "protocol": "9"}], receipt)


class ignores_the_key(Works):  # noqa: N801
    async def tool(
        self, items: list[str], idempotency_key: str, receipt: str = "", work_s: float = 0
    ) -> dict[str, Any]:
        return await super().tool(items, f"{idempotency_key} {next(self.numbers)}", receipt, work_s)

    def status(self, key: str) -> Answer:
        return next(
            (super(ignores_the_key, self).status(k) for k in self.answers if k.startswith(f"{key} ")),
            super().status(key),
        )


class acts_again_in_silence(Works):  # noqa: N801
    async def tool(
        self, items: list[str], idempotency_key: str, receipt: str = "", work_s: float = 0
    ) -> dict[str, Any]:
        if idempotency_key in self.answers:
            self.done()
        return await super().tool(items, idempotency_key, receipt, work_s)


class loses_items_with_the_receipt(Works):  # noqa: N801
    def answer(self, results: list[Answer], receipt: str) -> Answer:
        if receipt == "fails":
            results = [{"subject": each["subject"], "success": False, "reason": "receipt_not_sent"} for each in results]
        return super().answer(results, receipt)


class takes_anything(Works):  # noqa: N801
    async def tool(self, items: Any, idempotency_key: str, receipt: str = "", work_s: float = 0) -> dict[str, Any]:
        wanted = items if isinstance(items, list) and all(isinstance(item, str) for item in items) else ["everything"]
        return await super().tool(wanted, idempotency_key, receipt, work_s)


class breaks_on_nonsense(Works):  # noqa: N801
    async def tool(
        self, items: list[str], idempotency_key: str, receipt: str = "", work_s: float = 0
    ) -> dict[str, Any]:
        if not items:
            raise MCPError(code=-32603, message="list index out of range")
        return await super().tool(items, idempotency_key, receipt, work_s)


class gives_no_reason(Works):  # noqa: N801
    def result(self, item: str, key: str) -> Answer:
        result = super().result(item, key)
        result.pop("reason", None)
        return result


class gives_no_protocol(Works):  # noqa: N801
    def result(self, item: str, key: str) -> Answer:
        result = super().result(item, key)
        result.pop("protocol", None)
        return result


class contradicts_itself(Works):  # noqa: N801
    def result(self, item: str, key: str) -> Answer:
        result = super().result(item, key)
        return result | {"ok": True}


class forgets_its_caller(Works):  # noqa: N801
    """Writes the key down only when the work is done."""

    async def tool(
        self, items: list[str], idempotency_key: str, receipt: str = "", work_s: float = 0
    ) -> dict[str, Any]:
        if idempotency_key in self.answers:
            return self.answers[idempotency_key]
        return await self.work(items, idempotency_key, receipt, work_s)


class has_an_odd_status(Works):  # noqa: N801
    def status(self, key: str) -> Answer:
        return {"state": 3 if key in self.answers else 0}


class answers_in_prose(Works):  # noqa: N801
    pass


TOOLS: tuple[type[Works], ...] = (
    keeps_the_contract,
    takes_one_string,
    says_it_only_reads,
    fails_as_a_whole,
    has_one_flag_for_all,
    forgets_failures,
    writes_flags_as_text,
    shuffles,
    adds_items,
    ignores_the_key,
    acts_again_in_silence,
    loses_items_with_the_receipt,
    takes_anything,
    breaks_on_nonsense,
    gives_no_reason,
    gives_no_protocol,
    contradicts_itself,
    forgets_its_caller,
    has_an_odd_status,
    answers_in_prose,
)


def status_of(works: Works) -> Callable[..., Any]:
    async def tell(idempotency_key: str) -> dict[str, Any]:
        return works.status(idempotency_key)

    return tell


def in_prose(works: Works) -> Callable[..., Any]:
    async def tool(items: list[str], idempotency_key: str, receipt: str = "", work_s: float = 0) -> str:
        answer = await works.tool(items, idempotency_key, receipt, work_s)
        return "; ".join(f"{each['subject']}: {each['success']}" for each in answer["result"]["results"])

    return tool


def server(folder: Path) -> MCPServer:
    made = MCPServer("bad", version="1.0.0", log_level="CRITICAL")
    for kind in TOOLS:
        works = kind(folder)
        prose = kind is answers_in_prose
        made.add_tool(
            in_prose(works) if prose else works.tool,
            name=works.name,
            annotations=works.hints,
            structured_output=False if prose else None,
        )
        made.add_tool(status_of(works), name=f"status_of_{works.name}", annotations=READS)
    return made


def main(folder: Path, *, stdio: bool) -> None:
    if stdio:
        server(folder).run("stdio")
        return
    import uvicorn

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
        config = uvicorn.Config(server(folder).streamable_http_app(), log_level="critical")
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), stdio=sys.argv[2:] == ["stdio"])
