"""Two MCP servers in one process, with a ledger of what was really done: what the pipeline is shown and tested with."""
