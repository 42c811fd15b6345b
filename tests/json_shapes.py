"""What a command prints, held against the schema that it promises, and no key beside those."""

import json

import jsonschema

from cra_engine.cli.shapes import schema_of


def closed(schema):
    """The same schema that takes no key which it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    return inner | {"additionalProperties": False} if "properties" in inner else inner


def assert_shape(command, printed):
    """Fail where what was printed is not what the command's schema says."""
    jsonschema.Draft202012Validator(closed(schema_of(command))).validate(json.loads(printed))


def fitting(command, printed):
    """What was printed, which fits the command's schema, without the schema's version."""
    assert_shape(command, printed)
    return {key: value for key, value in json.loads(printed).items() if key != "schema_version"}
