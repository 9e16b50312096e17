"""ctxcontracts."""
