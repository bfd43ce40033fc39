internal import CZeroMQ

/// A call into ZeroMQ, or into the kernel for an endpoint, that failed.
///
/// Full queues and unknown peers are no errors: ``Socket/sendFrame(_:more:)`` returns them as a ``SendResult``.
public struct ZeroMQError: Error, Equatable, Sendable {
    /// A number of `errno`, as the kernel or libzmq (from 156384712 on) gives it.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// Another socket is bound to the endpoint.
        public static let addressInUse = Code(rawValue: EADDRINUSE)
        /// A file that is no socket stands at the path of an `ipc` endpoint.
        public static let exists = Code(rawValue: EEXIST)
        /// No interface of this machine has the endpoint's address.
        public static let addressNotAvailable = Code(rawValue: EADDRNOTAVAIL)
        /// The endpoint is not one, or an option's value is out of its range.
        public static let invalidArgument = Code(rawValue: EINVAL)
        /// The endpoint's transport is none of tcp, ipc and inproc.
        public static let unknownTransport = Code(rawValue: EPROTONOSUPPORT)
        /// The endpoint was neither bound nor connected, or the file does not exist.
        public static let notFound = Code(rawValue: ENOENT)
        /// The path of an `ipc` endpoint is longer than the kernel allows (107 bytes).
        public static let nameTooLong = Code(rawValue: ENAMETOOLONG)
        /// The process, or the context, has as many files or sockets open as it may.
        public static let tooManyOpen = Code(rawValue: EMFILE)
        /// The socket is closed.
        public static let closed = Code(rawValue: ENOTSOCK)
        /// The context ends.
        public static let terminated = Code(rawValue: ETERM)
        /// The socket's kind, or what it did last, does not allow this now: a REQ that has no answer yet, or a whole
        /// message in the middle of another one.
        public static let wrongState = Code(rawValue: EFSM)
        /// The socket's kind does not do this at all.
        public static let notSupported = Code(rawValue: ENOTSUP)
    }

    public let code: Code
    /// The call, as one would say it: `bind`, `set sendHighWaterMark`.
    public let operation: String
    /// The endpoint that the call named; empty where it named none.
    public let endpoint: String
    /// libzmq's words for the code.
    public let message: String

    init(_ code: Int32, _ operation: String, endpoint: String = "") {
        self.code = Code(rawValue: code)
        self.operation = operation
        self.endpoint = endpoint
        message = String(cString: zmq_strerror(code))
    }

    /// The error that libzmq has just reported in this thread.
    static func last(_ operation: String, endpoint: String = "") -> ZeroMQError {
        ZeroMQError(zmq_errno(), operation, endpoint: endpoint)
    }

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool {
        code == .addressInUse || code == .addressNotAvailable || code == .tooManyOpen
    }
}

extension ZeroMQError: CustomStringConvertible {
    public var description: String {
        let place = endpoint.isEmpty ? operation : "\(operation) \(endpoint)"
        return "\(place): \(message) (\(code.rawValue))"
    }
}
