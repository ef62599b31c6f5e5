"""A net in whole numbers of 8 bits, and how much it agrees with the net it was made from."""
