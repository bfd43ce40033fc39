// simdjson is C++: CSimdJSON includes its header and gives it a C face. This target carries the flags and the link.
