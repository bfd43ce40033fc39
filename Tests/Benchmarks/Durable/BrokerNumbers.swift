import RationJSON

/// What a broker's `status` tells that is measured here.
struct BrokerNumbers {
    let batches: Int
    /// The positions of its log.
    let first: Int
    let last: Int
    let recipients: Int
    let committedBytes: Int
    let compactionBacklogBytes: Int
    let memtableBytes: Int
    let tableBytes: Int
    let isStopped: Bool
    let slowedToBytesPerSecond: Int

    /// - Parameter status: the answer's JSON object.
    /// - Throws: `BenchmarkError` for an answer without one of the numbers.
    init(status: [UInt8]) throws {
        var parser = JSONParser()
        let value = try parser.parse(status)
        func number(_ name: StaticString) throws -> Int {
            guard let number = value[name]?.integer else {
                throw BenchmarkError("the broker's status has no '\(name)'")
            }
            return Int(number)
        }
        batches = try number("batches")
        first = try number("first")
        last = try number("last")
        recipients = try number("recipients")
        committedBytes = try number("storeCommittedBytes")
        compactionBacklogBytes = try number("storeCompactionBacklogBytes")
        memtableBytes = try number("storeMemtableBytes")
        tableBytes = try number("storeTableBytes")
        isStopped = try number("storeStopped") == 1
        slowedToBytesPerSecond = try number("storeSlowedToBytesPerSecond")
    }
}
