"""What speaks HTTP and WebSocket, and puts the server together."""
