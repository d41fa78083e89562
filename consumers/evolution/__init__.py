"""The released contracts on disk, and the commands that compare with them and add to them."""
