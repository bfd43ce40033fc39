internal import RationJSON

/// The answer to a `backup`: a copy that was made and checked (wire.md, "Other queries").
public struct BackupAnswer: Sendable, Hashable {
    /// The folder as the broker sees it.
    public var folder: String
    public var log: String
    /// The last batch and the last event that the copy holds.
    public var batch: UInt64
    public var sequence: UInt64
    /// Of its files.
    public var bytes: UInt64
    /// How long it took.
    public var milliseconds: UInt64

    public init(folder: String, log: String, batch: UInt64, sequence: UInt64, bytes: UInt64, milliseconds: UInt64) {
        (self.folder, self.log, self.batch, self.sequence) = (folder, log, batch, sequence)
        (self.bytes, self.milliseconds) = (bytes, milliseconds)
    }

    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        folder = try answer.text("folder")
        log = try answer.text("log")
        batch = try answer.unsigned("batch")
        sequence = try answer.unsigned("sequence")
        bytes = try answer.unsigned("bytes")
        milliseconds = try answer.unsigned("ms")
    }

    /// The body of an answer.
    public var body: [UInt8] {
        func integer(_ number: UInt64) -> Int { Int(truncatingIfNeeded: number) }
        return ObjectText.bytes { object in
            object.text("folder", folder)
            object.text("log", log)
            object.integers(
                ("batch", integer(batch)), ("sequence", integer(sequence)), ("bytes", integer(bytes)),
                ("ms", integer(milliseconds)))
        }
    }
}

/// The answer to a `stop`: who stops.
public struct StopAnswer: Sendable, Hashable {
    public var log: String
    /// The broker's process.
    public var process: Int32

    public init(log: String, process: Int32) {
        (self.log, self.process) = (log, process)
    }

    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        log = try answer.text("log")
        guard let process = Int32(exactly: try answer.unsigned("process")), process > 0 else {
            throw AnswerFault("the answer's field 'process' is no process")
        }
        self.process = process
    }

    /// The body of an answer.
    public var body: [UInt8] {
        ObjectText.bytes { object in
            object.text("log", log)
            object.integers(("process", Int(process)))
        }
    }
}
