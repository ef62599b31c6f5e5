"""What is read and what is sent: pure data, made from the domain and the rules."""
