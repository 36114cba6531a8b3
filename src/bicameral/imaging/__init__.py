"""Pictures: decoding, cutting, scaling and measuring them."""
