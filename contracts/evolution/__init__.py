"""How a contract may change: the gate that compares two schemas, and the upcasters that read an old major beside a new one.

shapes (what a schema accepts) → differences (what changed, where) → rules (a table: who breaks by it, the way out), with
parties (who writes and who reads each contract) → gate (verdicts as sentences). upcasting lifts records of an older major.
Source: SPEC-012 section 14, DESIGN 9.
"""
