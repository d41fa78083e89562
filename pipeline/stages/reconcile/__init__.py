"""The first stage: what the customer said, in the light of the open conversation. Source: DESIGN 7 (Ingress, Reconcile)."""

from pipeline.stages.reconcile.choosing import tools_to_route
from pipeline.stages.reconcile.stage import Reconcile

__all__ = ["Reconcile", "tools_to_route"]
