// Nothing is called by name: see PreloadedSync.c.
