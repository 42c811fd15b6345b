"""One colour per role, on every page; each passes 3:1 on the light and the dark background."""

OWN = "#0072B2"  # the chosen class and the cells it owns
STOLEN = "#D55E00"  # cells that an earlier class took
ISOLATED = "#CC79A7"  # cells that hold exactly one person
CHOSEN = "#009E73"  # the state or step that was chosen; what is feasible
OUTLIER = "#8A8A8A"  # suppressed records, and cells that nobody owns
UNDECIDED = "#B8860B"  # cells that tied classes leave open

# Text in charts. Streamlit puts its theme's strongest text colour in place of this one; its own chart grey is too faint
# on a filled cell. Outside Streamlit it is near black.
INK = "#000037"

# Magnitude, little to much (Cividis); .streamlit/config.toml has the same list.
MAGNITUDE = (
    "#00224E",
    "#123570",
    "#3B496C",
    "#575D6D",
    "#707173",
    "#8A8678",
    "#A59C74",
    "#C3B369",
    "#E1CC55",
    "#FEE838",
)
