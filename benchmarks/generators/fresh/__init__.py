"""Domains on which the learner is only measured, one module each."""
