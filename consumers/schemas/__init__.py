"""What is published of the contracts: JSON Schemas, examples, the AsyncAPI document, a page for people; see docs/contracts/."""
