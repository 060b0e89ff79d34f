"""Tables 1 to 4 of Van Assche and Blockeel (2007)."""
