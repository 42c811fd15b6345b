"""How far two colours stand out from one another, as WCAG 2 defines it."""


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour ``#RRGGBB``, 0 (black) to 1 (white)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def over(colour: str, background: str, opacity: float) -> str:
    """Return what is seen where a colour covers another in part, 0 to 1."""
    pairs = ((int(one[place : place + 2], 16) for one in (colour, background)) for place in (1, 3, 5))
    return "#" + "".join(f"{round(opacity * top + (1 - opacity) * below):02X}" for top, below in pairs)
