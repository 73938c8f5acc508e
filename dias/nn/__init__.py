"""The neural half: the paper's network and its objectives."""
