"""Judges that measure: they read facts and pictures, never a prompt, and cost nothing."""
