"""Training, extraction, and the learning pipeline."""
