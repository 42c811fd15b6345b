"""What is said of a command that cannot be understood, by the engine's program and the dashboard's."""

import re

from typer.exceptions import TyperException


def not_understood(error: TyperException, program: str) -> str:
    """Return one sentence on an option that is wrong or missing, and where its help is.

    Args:
        error: what the parser found.
        program: what was called, where the parser had not come to a command.
    """
    message = getattr(error, "format_message", error.__str__)().replace("Value error, ", "")
    message = re.sub("Input should be a valid integer.*", "a whole number is needed", message)
    message = re.sub("Input should be a valid number.*", "a number is needed", message).strip().rstrip(".")
    asked = getattr(getattr(error, "ctx", None), "command_path", program)
    return f"{message} See {asked} --help." if message.endswith("?") else f"{message}; see {asked} --help."
