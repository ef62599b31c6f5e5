"""How fast things are: rules, core, engine, environments, server, page, training."""
