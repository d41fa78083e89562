"""Why a command must not be executed: the check before the call is queued, and again right before it is sent.

Invariants: a tool that needs confirmation is called only with the digest somebody said yes to; the digest is computed again from the
command itself. Source: DESIGN 7 (Execute: "checked again right before the call").
"""

from contracts.execute_command import ExecuteCommand
from pipeline.policy import Installation, Tool
from pipeline.proposal import proposal_digest


def refusal_of(command: ExecuteCommand, installation: Installation) -> str | None:
    """Return the code of why the command is refused; None: it may be executed."""
    turn, transaction = command.turn, command.transaction
    tool = installation.tool_for(turn.agent_id, transaction.tool)
    if tool is None or not installation.agent_allowed(turn.agent_id, turn.tenant_id):
        return "tool_denied"
    if proposal_digest(turn, transaction, command.items, command.text) != command.digest:
        return "digest_mismatch"
    return _unconfirmed(command, tool, installation)


def _unconfirmed(command: ExecuteCommand, tool: Tool, installation: Installation) -> str | None:
    evidence = command.confirmation
    requested = installation.tools.get(command.transaction.requested_tool, tool)
    needed = tool.needs_confirmation or requested.needs_confirmation or command.transaction.confirmation_floor
    if not needed and not tool.transactional:
        return None
    if evidence is None:
        return "confirmation_missing"
    if evidence.digest != command.digest:
        return "confirmation_of_another_proposal"
    return "confirmation_missing" if needed and not evidence.required else None
