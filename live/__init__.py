"""Live documents: reads of stored updates, rooms, and the connections that edit."""
