"""The web pages: sign-in, settings, consent and published pages."""
