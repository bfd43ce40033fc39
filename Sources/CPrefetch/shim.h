// The processor's hint that memory will be read soon; Swift has no name for it. It changes nothing but time.
static inline void ration_prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }
