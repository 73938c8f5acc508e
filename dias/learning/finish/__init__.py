"""From lifted schemas to a domain."""
