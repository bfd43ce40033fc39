// Its files are on their way.
