"""The shape of what each command prints with ``--json``; pydantic makes the JSON schemas of it, the tests hold it.

What a key is stands in docs/json.md. Whole numbers of any length are text (``Digits``); null is None.
"""

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from cra_engine.cli.attack_answers import (
    Attack,
    Compose,
    ComposeSafe,
    Downcode,
    Forced,
    Listed,
    SinglingChances,
    SinglingOut,
    WhoHasWhat,
)
from cra_engine.cli.check_answers import Audit, Check, Compare, EffectiveAnonymity, Roles
from cra_engine.cli.publish_answers import (
    GlobalRecode,
    Heterogeneous,
    Microaggregate,
    Minimal,
    Publishable,
    PublishedAgain,
    Recode,
    Repair,
    SafeRecode,
    SensitiveCells,
)
from cra_engine.cli.research_answers import Clusters, Ladder

SHAPES: dict[str, Any] = {
    "recode": Recode,
    "safe-recode": SafeRecode,
    "global-recode": GlobalRecode,
    "microaggregate": Microaggregate,
    "heterogeneous": Heterogeneous,
    "minimal": Minimal,
    "publishable": Publishable | PublishedAgain,
    "repair": Repair,
    "attack": Attack | Listed,
    "compose": Compose | ComposeSafe,
    "single-out": SinglingOut | SinglingChances | WhoHasWhat,
    "downcode": Downcode | Forced,
    "audit": Audit,
    "check": Check,
    "compare": Compare,
    "roles": Roles,
    "effective-anonymity": EffectiveAnonymity,
    "sensitive-cells": SensitiveCells,
    "experiment": Clusters | Ladder,
}
"""By the name of each command what it prints; several shapes where its options decide."""


class _Untitled(GenerateJsonSchema):
    """Names no key twice."""

    def field_title_should_be_set(self, _: Any) -> bool:
        """Never: the key says it."""
        return False


def schema_of(command: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a command prints with ``--json``.

    Raises:
        KeyError: the command prints no JSON, or there is none of that name.
    """
    schema = TypeAdapter(SHAPES[command]).json_schema(mode="serialization", schema_generator=_Untitled)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": f"cra-engine {command} --json",
    }
