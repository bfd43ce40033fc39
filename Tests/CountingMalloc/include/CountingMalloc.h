#pragma once

#include <stdint.h>

// A program that links this target allocates through it: the functions of malloc(3) go on to glibc's own. While a thread
// counts, they count what that thread asks for; other threads are not seen, so that tests may run side by side.

typedef struct {
    /// Calls that asked for memory: malloc, calloc, realloc and the aligned ones.
    uint64_t allocations;
    /// Bytes that were given less bytes that were given back, as malloc_usable_size(3) has them: rounding included.
    int64_t live_bytes;
} ration_allocation_count;

/// Starts counting the calling thread's allocations, from nothing.
void ration_allocation_count_start(void);

/// What was counted so far.
ration_allocation_count ration_allocation_count_so_far(void);

/// Ends it.
ration_allocation_count ration_allocation_count_end(void);
