"""Exact combinatorics that knows no table: convolution, orthants, sums, draws, enumeration."""
