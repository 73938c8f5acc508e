"""Learned from several instances of a domain, judged on others: what is wrong, what was doubted."""
