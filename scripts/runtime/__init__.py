"""The browser's Python: pinned, fetched, byte-compiled and packed."""
