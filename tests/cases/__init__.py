"""Language cases as data, run through the product's public functions: `python -m tests.cases FILE [--only KIND|ID] [--json]`."""
