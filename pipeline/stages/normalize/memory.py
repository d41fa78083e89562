"""What normalize keeps of a transaction: that it was answered, so that the same outcome again gives no second answer."""

from pydantic import BaseModel, ConfigDict

from contracts.status import Status


class Answered(BaseModel):
    """Marker of an answered transaction."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    revision: int
    status: Status
