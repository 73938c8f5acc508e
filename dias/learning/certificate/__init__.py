"""What stands behind each literal."""
