"""`python -m examples.demo`: serve both demo MCP servers until Ctrl-C."""

from examples.demo.server import main

if __name__ == "__main__":
    main()
