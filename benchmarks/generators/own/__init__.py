"""Further domains, which the learner was not developed on, one module each."""
