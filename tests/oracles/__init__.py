"""Slow, literal versions of the paper's algorithms, written from its text alone.

They share no algorithm with ``cra_engine``: only the geometry of ``Attribute`` and ``Node`` (intervals, layers, ranks).
"""
