"""What speaks HTTP: each file is a few routes that read a request, ask a service and answer."""
