"""Two domains side by side: lines, rows, and the words of what was learned."""
