"""The only room that knows all others: reads the environment, picks adapters, hands in the clock. It holds no rule."""
