"""Traces: the dias-trace/1 format, sampling, labels."""
