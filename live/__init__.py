"""Documents while they are used: how stored updates become what is read, and what may be added to them."""
