"""The multi-item summary of a tool's result, as the guide asks for it.

Invariants: the input is never changed; a result without two or more entries, each with a boolean `success` or `ok`, is returned as it
was; an auxiliary failure never erases items that were done; all items failed is a failure whatever the wrapper said.
Source: the multi-item guide sections 4 and 5, DESIGN 7 (Normalize).
"""

from collections.abc import Mapping
from typing import Any

from contracts.status import MultiItemStatus
from pipeline.answers import auxiliary_error, error_text, flag_of, results_of, said_ok


def normalize_result(result: Mapping[str, Any], primary_tool: str) -> Mapping[str, Any]:
    """Add multi_item_status, partial_success and metadata.multi_item to a result of several items; else return it unchanged."""
    evidence = results_of(result, primary_tool)
    if evidence is None or len(evidence.entries) < 2 or not evidence.per_item:
        return result
    count = len(evidence.entries)
    succeeded = sum(flag_of(entry) is True for entry in evidence.entries)
    status = multi_item_status(succeeded, count)
    metadata = result.get("metadata")
    summary = {
        "status": status.value,
        "items_count": count,
        "items_succeeded_count": succeeded,
        "items_failed_count": count - succeeded,
        "primary_tool": primary_tool,
    }
    return {
        **result,
        "multi_item_status": status.value,
        "partial_success": status is MultiItemStatus.PARTIAL_SUCCESS,
        "metadata": {**(metadata if isinstance(metadata, Mapping) else {}), "multi_item": summary},
        **_verdict(result, primary_tool, succeeded),
    }


def multi_item_status(succeeded: int, count: int) -> MultiItemStatus:
    """Sum up the fates of a set."""
    if succeeded == 0:
        return MultiItemStatus.FAILED
    return MultiItemStatus.SUCCESS if succeeded == count else MultiItemStatus.PARTIAL_SUCCESS


def _verdict(result: Mapping[str, Any], primary_tool: str, succeeded: int) -> dict[str, Any]:
    """What becomes of ok: items that were done stay done, and the wrapper's complaint is kept for audit."""
    if succeeded == 0:
        return {"ok": False}
    if said_ok(result) is not False:
        return {}
    complaint = error_text(result.get("error")) or auxiliary_error(result, primary_tool)
    return {"ok": True, "original_ok": False, "secondary_error": complaint}
