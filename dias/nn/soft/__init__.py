"""Atoms that hold with some probability: the network, the losses, the module for others."""
