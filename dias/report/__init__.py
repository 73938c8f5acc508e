"""Result objects as text and as JSON."""
