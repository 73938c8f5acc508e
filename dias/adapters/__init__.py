"""What other libraries of the field have, as this one has it, and back; each is optional."""
