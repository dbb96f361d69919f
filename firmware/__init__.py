"""On a board these files lie side by side. As a package they give the companion its `framing`, and nothing else."""
