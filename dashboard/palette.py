"""One colour per role, on every page; each passes 3:1 on the light and the dark background."""

OWN = "#0072B2"  # the chosen class and the cells it owns
STOLEN = "#D55E00"  # cells that an earlier class took
ISOLATED = "#CC79A7"  # cells that hold exactly one person
CHOSEN = "#009E73"  # the state or step that was chosen; what is feasible
OUTLIER = "#8A8A8A"  # suppressed records, and cells that nobody owns
UNDECIDED = "#B8860B"  # cells that tied classes leave open
