"""What people see in a browser: sign-in, settings, consent and published pages."""
