"""ARX's local recoding (ARX-LR), in memory and block by block."""
