import CountingMalloc

/// Counts the calls for memory that something makes on this thread.
func allocations(_ work: () throws -> Void) rethrows -> Int {
    ration_allocation_count_start()
    defer { _ = ration_allocation_count_end() }
    try work()
    return Int(ration_allocation_count_so_far().allocations)
}
