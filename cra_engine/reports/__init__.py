"""What reports share: plain data for JSON, and one way in which pages are filled in."""
