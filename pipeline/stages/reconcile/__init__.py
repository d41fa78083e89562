"""The first stage: what the customer said, in the light of the open conversation. Source: DESIGN 7 (Ingress, Reconcile)."""

from pipeline.stages.reconcile.stage import Reconcile
from pipeline.stages.reconcile.starting import tools_to_route

__all__ = ["Reconcile", "tools_to_route"]
