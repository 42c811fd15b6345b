"""Attacks: release in, frozen result out, each saying of itself exact, bound, estimate or cut short."""
