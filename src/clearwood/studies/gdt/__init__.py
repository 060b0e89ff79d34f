"""Tables 1 and 3 and Figures 2 and 3 in Krętowski and Grześ (2006)."""
