"""ctxlint."""
