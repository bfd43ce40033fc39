import Glibc

/// Marks a word when the deciding thread crashes: a trap, a bad address, an abort. A process that is killed from outside, or that
/// ends because the machine does, marks nothing: no request is to blame for that.
enum CrashMark {
    /// What the handler touches, all of it made before it may run.
    ///
    /// `nonisolated(unsafe)`: written by `install` and `watchThisThread`, before any crash that counts, and read by the handler.
    nonisolated(unsafe) private static var word: UnsafeMutablePointer<UInt64>?
    nonisolated(unsafe) private static var thread: pthread_t?
    nonisolated(unsafe) private static var before: UnsafeMutablePointer<sigaction>?

    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    /// Enough for the handler; the thread's own stack may be at its end.
    private static let stackBytes = 64 << 10

    /// Sets the handlers; once in a process.
    static func install(marking word: UnsafeMutablePointer<UInt64>) {
        guard before == nil else {
            self.word = word
            return
        }
        self.word = word
        let before = UnsafeMutablePointer<sigaction>.allocate(capacity: Int(SIGSYS) + 1)
        before.initialize(repeating: sigaction(), count: Int(SIGSYS) + 1)
        self.before = before
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_sigaction = { signal, info, _ in CrashMark.handle(signal, info) }
            action.sa_flags = SA_SIGINFO | Int32(SA_ONSTACK)
            sigaction(signal, &action, before + Int(signal))
        }
    }

    /// The calling thread is the one whose crashes count.
    static func watchThisThread() {
        thread = pthread_self()
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackBytes, alignment: 16)
        stack.ss_size = stackBytes
        sigaltstack(&stack, nil)
    }

    /// Only what signal-safety(7) allows.
    private static func handle(_ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
        let code = info?.pointee.si_code ?? 0
        let isSent = code <= 0
        // abort() sends a thread its own signal.
        let isOwn = !isSent || (signal == SIGABRT && code == Int32(SI_TKILL))
        if isOwn, let thread, pthread_equal(thread, pthread_self()) != 0 { word?.pointee = 1 }
        if let before { sigaction(signal, before + Int(signal), nil) }
        // What the kernel has found comes again when this returns; what was sent does not.
        if isSent { raise(signal) }
    }
}
