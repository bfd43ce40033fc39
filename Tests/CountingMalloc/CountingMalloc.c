#include "CountingMalloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>

// glibc's own, under the names that it exports for programs that replace malloc(3).
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static __thread bool is_counting;
static __thread ration_allocation_count count;

void ration_allocation_count_start(void) {
    count = (ration_allocation_count){0};
    is_counting = true;
}

ration_allocation_count ration_allocation_count_so_far(void) {
    return count;
}

ration_allocation_count ration_allocation_count_end(void) {
    is_counting = false;
    return count;
}

static void *given(void *memory) {
    if (is_counting && memory) {
        count.allocations += 1;
        count.live_bytes += (int64_t)malloc_usable_size(memory);
    }
    return memory;
}

static void *aligned(size_t alignment, size_t size) {
    return given(__libc_memalign(alignment, size));
}

void *malloc(size_t size) {
    return given(__libc_malloc(size));
}

void *calloc(size_t number, size_t size) {
    return given(__libc_calloc(number, size));
}

void *realloc(void *memory, size_t size) {
    int64_t before = is_counting ? (int64_t)malloc_usable_size(memory) : 0;
    void *moved = __libc_realloc(memory, size);
    // Without memory the old stretch stays; a size of 0 frees it.
    if (is_counting && (moved || size == 0)) count.live_bytes -= before;
    return given(moved);
}

void free(void *memory) {
    if (is_counting) count.live_bytes -= (int64_t)malloc_usable_size(memory);
    __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
    return aligned(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return aligned(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *found = aligned(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}
