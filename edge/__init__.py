"""Handles what every HTTP request passes before and after its surface: credentials, limits, headers, errors, logs."""
