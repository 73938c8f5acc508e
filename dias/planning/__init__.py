"""From a domain and a problem to a plan, and a plan walked through."""
