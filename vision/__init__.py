"""From camera pictures to what stands on each site, and the sheets that make a board easy to find."""
