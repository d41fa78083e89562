"""Conversations as customers have them, one a file, with what they are told: scripts and expected transcripts."""
