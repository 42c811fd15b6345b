"""The eight-minute story: one suppressed person followed from hidden to certain, beside one picture that stays."""
