"""What all shapes of answers share: keys that several commands print alike."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Digits = Annotated[str, Field(pattern=r"^\d+$")]
Share = Annotated[float, Field(ge=0, le=1)]
Box = list[list[float | str]]
Known = Literal["exact", "bound", "estimate", "timeout", "unknown"]
Verdict = Literal["ready", "attention", "stop"]


class Answer(BaseModel):
    """What every command prints."""

    schema_version: Literal[1]
