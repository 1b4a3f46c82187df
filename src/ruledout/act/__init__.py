"""At the point of action: what is known of the act that an agent is about to make. Loads no model, no store and no flow; everything fails open (R15)."""
