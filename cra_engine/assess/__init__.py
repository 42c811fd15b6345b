"""One judgement of a release: what it gives away and what it keeps, each number with how sure it is."""
