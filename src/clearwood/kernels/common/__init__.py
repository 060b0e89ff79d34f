"""What every room uses: codes, arithmetic, bits, random numbers, growing arrays."""
