"""The C4.5 column of Table 2 in Van Assche and Blockeel (2007)."""
