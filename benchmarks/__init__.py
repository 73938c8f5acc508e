"""Benchmark domains, instance generators and the measurements."""
