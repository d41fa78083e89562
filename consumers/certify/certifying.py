"""The whole certification of one tool: the sandbox is opened, every check is made, a result stands at the end.

Owns: the order of the checks and which apply. Invariants: nothing with side effects is called before it was allowed; a check that is
left out says why; each check has arguments of its own ({fresh}), so that none sees what another did.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from consumers.certify import checks_calls, checks_items, checks_listing
from consumers.certify.calling import Caller, connected
from consumers.certify.certificates import declaration_hash
from consumers.certify.findings import Finding, Verdict, failed, judged, skipped
from consumers.certify.observation import Observation, Planned
from consumers.certify.sandbox import Sandbox, open_sandbox
from consumers.certify.scenarios import ITEM_CHECKS, ItemScenario, SandboxSpec, Scenarios, ToolScenarios, filled
from consumers.certify.subject import Server, described, refuse_side_effects, server_of, with_items
from consumers.cli.terminal import WRONG, CommandError
from consumers.configuration import Configuration
from contracts.certification_result import CertificationCheck, CertificationResult, SkippedCheck
from contracts.identity import digest
from pipeline.policy import Recovery, Tool

S = TypeVar("S", bound=ItemScenario)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was asked for."""

    server: str
    tool: str
    scenarios: Scenarios
    file: str
    """Name of the scenarios file, for sentences."""
    configuration: Configuration | None
    sandbox: bool
    """Whether side effects are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certification:
    """How it ended."""

    findings: tuple[Finding, ...]
    result: CertificationResult
    seconds: float


async def certify(order: Order) -> Certification:
    """Certify one tool. Raises: CommandError, when it cannot be begun or the sandbox fails."""
    began = time.monotonic()
    mine = order.scenarios.tools.get(order.tool)
    if mine is None:
        known = ", ".join(order.scenarios.tools) or "none"
        raise CommandError(f"{order.file}: tools: has no {order.tool!r}; it has {known}.", code=WRONG)
    tools = order.configuration.installation.tools if order.configuration else {}
    configured = tools.get(order.tool)
    if configured is not None:
        refuse_side_effects(configured, sandbox=order.sandbox)
    server = server_of(order.server, configured, order.configuration)
    async with open_sandbox(order.scenarios.sandbox if order.sandbox else SandboxSpec()) as sandbox:
        if server.settings.transport == "stdio" and sandbox.environment:
            env = {**server.settings.env, **sandbox.environment}
            server = Server(name=server.name, settings=server.settings.model_copy(update={"env": env}))
        run = f"{time.time_ns():x}"
        async with connected(server, sandbox, run) as caller:
            checking = _Checking(order, mine, server, caller=caller, run=run, tools=tools)
            findings = await checking.all()
            return Certification(
                findings=tuple(findings), result=checking.result(findings), seconds=time.monotonic() - began
            )


class _Checking:
    """One run of all checks."""

    def __init__(
        self,
        order: Order,
        scenarios: ToolScenarios,
        server: Server,
        *,
        caller: Caller,
        run: str,
        tools: Mapping[str, Tool],
    ) -> None:
        self._order, self._scenarios, self._server, self._caller, self._run = order, scenarios, server, caller, run
        self._configured = configured = tools.get(order.tool)
        listing = caller.listed()
        listed = listing.get(order.tool)
        if listed is None:
            names = ", ".join(sorted(listing)) or "none"
            raise CommandError(f"The server {server.name} does not list {order.tool!r}; it lists {names}.", code=WRONG)
        self._listed = listed
        tool = configured or described(order.tool, server.name, listed, scenarios)
        if scenarios.policy is not None and configured is None:
            tool = tool.model_copy(
                update={"policy": scenarios.policy.model_copy(update={"operation_type": tool.operation_type})}
            )
        tool = with_items(tool, scenarios)
        # The server may be another one than the configured (an address of a sandbox): it is called by the name it has here.
        self._tool = tool.model_copy(update={"spec": tool.spec.model_copy(update={"mcp_server": server.name})})
        refuse_side_effects(self._tool, sandbox=order.sandbox)
        name = self._tool.policy.status_tool
        self._status_tool = None
        if name is not None and name in listing:
            asked = tools.get(name) or described(name, server.name, listing[name], scenarios)
            self._status_tool = asked.model_copy(
                update={"spec": asked.spec.model_copy(update={"mcp_server": server.name})}
            )
        self._seen: list[Observation] = []
        self._plans = {name: self._plan(name) for name in ITEM_CHECKS if getattr(scenarios, name) is not None}

    async def all(self) -> list[Finding]:
        """Every check, in the order of CHECKS."""
        scenarios, tool = self._scenarios, self._tool
        await self._caller.sandbox.grown()  # from here on it counts
        given = {name for plan in self._plans.values() for name in plan.command.transaction.arguments}
        findings = [
            checks_listing.takes_collection(tool, self._listed, scenarios),
            checks_listing.fits_configuration(tool, self._listed, configured=self._configured is not None, given=given),
            checks_listing.annotations(tool, self._listed),
        ]
        findings += [
            await self._items(name)
            for name in ("all_succeed", "some_succeed", "none_succeed", "unknown_item", "auxiliary_failure")
        ]
        findings += [await self._duplicate(), await self._slow(), await self._restart()]
        done = next((one for one in self._seen if one.check == "all_succeed"), None)
        findings += [
            await checks_calls.status(self._caller, tool, self._status_tool, done),
            await checks_calls.malformed(
                self._caller, tool, self._listed, scenarios.malformed, self._plans["all_succeed"]
            ),
            checks_items.order_and_count(self._seen),
            checks_items.item_fields(tool, self._seen),
            checks_listing.structured_output(self._listed, self._seen),
        ]
        return findings

    def result(self, findings: list[Finding]) -> CertificationResult:
        """As the contract has it."""
        made = [finding for finding in findings if finding.verdict is not Verdict.SKIPPED]
        return CertificationResult(
            server=self._server.name,
            tool=self._tool.name,
            tool_schema_hash=digest(self._listed.input_schema),
            declaration_hash=None if self._configured is None else declaration_hash(self._configured),
            checks=tuple(
                CertificationCheck(
                    name=each.sentence, passed=each.verdict is Verdict.PASS, detail=each.detail, way_out=each.way_out
                )
                for each in made
            ),
            skipped=tuple(
                SkippedCheck(name=each.sentence, reason=each.detail)
                for each in findings
                if each.verdict is Verdict.SKIPPED
            ),
            passed=all(each.verdict is Verdict.PASS for each in made),
            at=datetime.now(UTC).replace(microsecond=0),
        )

    async def _items(self, name: str) -> Finding:
        scenario: ItemScenario | None = getattr(self._scenarios, name)
        if scenario is None:
            why = self._scenarios.single_item if name == "some_succeed" else ""
            return skipped(name, why or f"the scenarios have no {name}")
        if scenario.skip:
            return skipped(name, scenario.skip)
        sandbox = self._caller.sandbox
        async with _Around(sandbox, scenario, self._at(name)):
            seen = await self._caller.send(self._tool, self._plans[name])
            grown = await sandbox.grown()
        self._seen.append(seen)
        if name == "unknown_item":
            finding = checks_items.unknown_item(scenario, seen, self._tool)
        else:
            reading = checks_items.auxiliary if name == "auxiliary_failure" else checks_items.fates_as_expected
            finding = judged(name, reading(scenario, seen, self._tool), checks_items.shown(seen.own_fates))
        if finding.verdict is Verdict.FAIL:
            return finding
        counted = checks_items.effects_as_told(self._counting(scenario), grown)
        return finding if counted is None else failed(name, counted)

    async def _duplicate(self) -> Finding:
        check, scenario = "duplicate", self._scenarios.duplicate
        if not self._tool.transactional:
            return skipped(check, "read-only: a repetition has no effect")
        if scenario is None or scenario.skip:
            if self._tool.recovery is Recovery.RETRY:
                return failed(check, checks_calls.UNPROVEN)
            return skipped(check, scenario.skip if scenario else f"the scenarios have no {check}")
        async with _Around(self._caller.sandbox, scenario, self._at(check)):
            finding, seen = await checks_calls.duplicate(self._caller, self._tool, scenario, self._plans[check])
        self._seen += seen
        return finding

    async def _slow(self) -> Finding:
        check, scenario = "slow", self._scenarios.slow
        if scenario is None or scenario.skip:
            return skipped(check, scenario.skip if scenario else f"the scenarios have no {check}")
        async with _Around(self._caller.sandbox, scenario, self._at(check)):
            return await checks_calls.slow(
                self._caller, self._tool, self._status_tool, self._counting(scenario), self._plans[check]
            )

    async def _restart(self) -> Finding:
        check, scenario = "restart", self._scenarios.restart
        if scenario is None or scenario.skip:
            return skipped(check, scenario.skip if scenario else f"the scenarios have no {check}")
        if not self._caller.restartable:
            return skipped(check, "the scenarios have neither sandbox.start nor sandbox.restart")
        async with _Around(self._caller.sandbox, scenario, self._at(check)):
            return await checks_calls.restart(
                self._caller, self._tool, self._status_tool, self._counting(scenario), self._plans[check]
            )

    def _counting(self, scenario: S) -> S:
        """A read-only tool must have no effect at all."""
        return scenario if self._tool.transactional else scenario.model_copy(update={"effects": 0})

    def _plan(self, name: str) -> Planned:
        """The call of a check, its arguments filled in. Raises: CommandError when items or fates do not fit."""
        scenario: ItemScenario = getattr(self._scenarios, name)
        names = {**self._caller.sandbox.names, "fresh": f"{self._run}-{name.replace('_', '-')}"}
        arguments: dict[str, Any] = filled({**self._scenarios.arguments, **scenario.arguments}, names)
        plan = self._caller.plan(self._tool, name, arguments)
        if not scenario.skip and len(plan.items) != len(scenario.fates):
            raise CommandError(
                f"{self._order.file}: tools.{self._tool.name}.{name}.fates: {len(scenario.fates)} for {len(plan.items)} item(s) "
                f"in {self._tool.items_argument or 'the arguments'}; give one per item, in order.",
                code=WRONG,
            )
        if not scenario.skip and any(item in plan.items[:place] for place, item in enumerate(plan.items)):
            raise CommandError(
                f"{self._order.file}: tools.{self._tool.name}.{name}.arguments: {self._tool.items_argument} names an item twice; the "
                "pipeline sends each once, so give different items.",
                code=WRONG,
            )
        return plan

    def _at(self, name: str) -> str:
        return f"tools.{self._tool.name}.{name}"


class _Around:
    """The commands before and after a check."""

    def __init__(self, sandbox: Sandbox, scenario: ItemScenario, at: str) -> None:
        self._sandbox, self._scenario, self._at = sandbox, scenario, at

    async def __aenter__(self) -> None:
        if self._scenario.before is not None:
            await self._sandbox.run(self._scenario.before, f"{self._at}.before")
            await self._sandbox.grown()  # a command may have set everything back

    async def __aexit__(self, *_: object) -> None:
        if self._scenario.after is not None:
            await self._sandbox.run(self._scenario.after, f"{self._at}.after")
