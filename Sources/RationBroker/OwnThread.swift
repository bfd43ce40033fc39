import CLinux
import Glibc
import RationBus
import Synchronization

/// A thread of its own for a loop that blocks in C calls; never the cooperative pool.
final class OwnThread: Sendable {
    private final class Work: Sendable {
        let name: String
        let body: @Sendable () throws -> Void
        let ended: Wakeup
        let failure = Mutex<(any Error)?>(nil)

        init(name: String, ended: Wakeup, body: @escaping @Sendable () throws -> Void) {
            self.name = name
            self.ended = ended
            self.body = body
        }

        func run() {
            _ = ration_name_thread(name)
            do {
                try body()
            } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
    }

    private let thread: pthread_t
    private let work: Work

    /// Starts the thread.
    /// - Parameters:
    ///   - name: shown by the system, at most 15 bytes.
    ///   - ended: signalled when the work has ended or failed.
    init(_ name: String, ended: Wakeup, _ body: @escaping @Sendable () throws -> Void) throws {
        let work = Work(name: name, ended: ended, body: body)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(work)
        let code = pthread_create(
            &thread, nil,
            { argument in
                // The argument is the retained work that the creator passed.
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw ThreadError(code: code)
        }
        self.thread = thread
        self.work = work
    }

    /// Waits for the end; to be called once.
    /// - Throws: what the work failed with.
    func join() throws {
        pthread_join(thread, nil)
        if let failure = work.failure.withLock({ $0 }) { throw failure }
    }
}

/// A thread that could not be started.
struct ThreadError: Error, CustomStringConvertible {
    var code: Int32

    var description: String { "cannot start a thread: \(String(cString: strerror(code)))" }
}

/// Hands a value that only one thread may own to that thread.
///
/// `@unchecked`: the maker gives it up when it makes this, and only the thread that calls `take`, once, has it then; the
/// start of the thread orders both.
final class Handover<Value: ~Copyable>: @unchecked Sendable {
    private var value: Value?

    init(_ value: consuming Value) {
        self.value = consume value
    }

    func take() -> Value {
        guard let value = value.take() else { preconditionFailure("taken twice") }
        return value
    }
}
