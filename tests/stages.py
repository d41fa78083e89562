"""All five stages, as a worker would build them."""

from typing import Any

from pipeline.decision import Stage
from pipeline.policy import Installation
from pipeline.stages.confirm import Confirm
from pipeline.stages.execute import Execute
from pipeline.stages.normalize import Normalize
from pipeline.stages.pre_validate import PreValidate
from pipeline.stages.reconcile import Reconcile
from tests.installation import catalogue


def stages(installation: Installation) -> list[Stage[Any]]:
    """In flow order."""
    texts = catalogue()
    return [
        Reconcile(installation, texts),
        PreValidate(installation, texts),
        Confirm(installation, texts),
        Execute(installation, texts),
        Normalize(installation, texts),
    ]
