"""Test support for users of the library: `stores` (a suite for cold stores) and `strategies` (for Hypothesis).

Needs the extra `ctxcontracts[testing]`.
"""
