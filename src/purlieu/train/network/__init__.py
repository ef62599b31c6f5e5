"""The net: its layers, its evaluation on a device, and its files."""
