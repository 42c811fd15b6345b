"""Pictures that pages share."""
