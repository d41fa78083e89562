"""Proves that an MCP tool keeps the multi-item contract, before customers find out: `python -m consumers certify`."""
