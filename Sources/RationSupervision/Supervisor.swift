internal import Glibc

/// Runs a deployment: does what ``Deployment`` decides, and hands on what the processes write.
public final class Supervisor {
    /// A process or a probe that runs.
    private final class Running {
        let process: SpawnedProcess
        let index: Int
        let isProbe: Bool
        var cutters: [LineCutter]
        /// Which outputs may still bring something.
        var isOpen: [Bool]

        init(_ process: SpawnedProcess, _ index: Int, isProbe: Bool) {
            (self.process, self.index, self.isProbe) = (process, index, isProbe)
            cutters = process.outputs.map { _ in LineCutter() }
            isOpen = process.outputs.map { _ in true }
        }
    }

    private let processes: [SupervisedProcess]
    private var deployment: Deployment
    private let guardian: Guardian
    private let output: SupervisorOutput
    /// What the supervisor says itself stands behind the prefix after those of the processes.
    private var own: Int { processes.count }
    private var running: [Running] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// - Parameters:
    ///   - descriptor: where the lines go; it may block for long.
    ///   - prefixes: what stands before the lines of each process, and last before those of the supervisor itself.
    /// - Throws: ``SystemError``.
    public init(_ processes: [SupervisedProcess], descriptor: Int32, prefixes: [String]) throws(SystemError) {
        precondition(
            prefixes.count == processes.count + 1, "\(prefixes.count) prefixes for \(processes.count) processes")
        self.processes = processes
        guardian = try Guardian()
        deployment = Deployment(processes)
        output = try SupervisorOutput(descriptor: descriptor, prefixes: prefixes)
    }

    deinit {
        buffer.deallocate()
    }

    /// Runs until all processes have ended after a signal or the end of time.
    /// - Parameters:
    ///   - milliseconds: the time; nil: until a signal comes.
    ///   - signalDescriptor: readable when a signal waits.
    ///   - nextSignal: takes one; nil if none waits.
    /// - Returns: whether everything ended by itself when it was asked to.
    public func run(forMilliseconds milliseconds: Int64?, signalDescriptor: Int32, nextSignal: () -> Int32?) -> Bool {
        var end = milliseconds.map { MonotonicTime.milliseconds + $0 }
        while true {
            let now = MonotonicTime.milliseconds
            while let signal = nextSignal() { take(signal, now) }
            if let date = end, date <= now {
                end = nil
                tell("the time is over: stopping")
                deployment.stop(at: now)
            }
            reap(now)
            perform(now)
            output.flush(from: own)
            if deployment.isOver { break }
            wait(until: end, now, signalDescriptor)
        }
        output.finish()
        return deployment.isClean
    }

    private func take(_ signal: Int32, _ now: Int64) {
        switch signal {
        case SIGHUP: deployment.hangUp()
        default:
            let isSecond = deployment.isStopping
            tell(isSecond ? "signal \(signal) again: killing what is left" : "signal \(signal): stopping")
            deployment.stop(at: now)
        }
    }

    private func tell(_ text: String) {
        output.tell(own, text)
    }

    /// Does what is to be done, and what follows from it.
    private func perform(_ now: Int64) {
        var actions = deployment.advance(to: now)
        while !actions.isEmpty {
            for action in actions { perform(action, now) }
            actions = deployment.advance(to: now)
        }
    }

    private func perform(_ action: Deployment.Action, _ now: Int64) {
        switch action {
        case .tell(let index, let text): tell("\(processes[index].name) \(text)")
        case .signal(let index, let signal): find(index, isProbe: false)?.process.send(signal: signal)
        case .endProbe(let index): find(index, isProbe: true)?.process.send(signal: SIGKILL)
        case .start(let index): start(index, processes[index].command, isProbe: false, now)
        case .probe(let index): start(index, probe(of: index), isProbe: true, now)
        }
    }

    /// The command that tells whether a process is ready, and not another one in its place.
    private func probe(of index: Int) -> [String] {
        let number = find(index, isProbe: false)?.process.identifier ?? 0
        return (processes[index].readiness ?? []).map { $0 == SupervisedProcess.ownNumber ? "\(number)" : $0 }
    }

    private func find(_ index: Int, isProbe: Bool) -> Running? {
        running.first { $0.index == index && $0.isProbe == isProbe }
    }

    private func start(_ index: Int, _ command: [String], isProbe: Bool, _ now: Int64) {
        do throws(SystemError) {
            let process = try SpawnedProcess(command, guardian)
            running.append(Running(process, index, isProbe: isProbe))
            if !isProbe { tell("\(processes[index].name) started, process \(process.identifier)") }
        } catch {
            ended(index, .notStarted(error.code), isProbe: isProbe, now)
        }
    }

    private func ended(_ index: Int, _ end: ProcessEnd, isProbe: Bool, _ now: Int64) {
        if isProbe {
            deployment.probeEnded(index, end, at: now)
        } else {
            deployment.ended(index, end, at: now)
        }
    }

    /// Takes the ends of processes, each behind its last words.
    private func reap(_ now: Int64) {
        for entry in running {
            guard let end = entry.process.takeEnd() else { continue }
            for place in entry.isOpen.indices { readLastWords(entry, place) }
            ended(entry.index, end, isProbe: entry.isProbe, now)
        }
        running.removeAll { entry in entry.process.hasEnded }
    }

    /// Waits for a signal, an output, or the time of the next thing to do.
    private func wait(until end: Int64?, _ now: Int64, _ signalDescriptor: Int32) {
        let isHeldUp = output.isHeldUp(at: now)
        let ahead = [signalDescriptor, output.roomDescriptor] + running.map(\.process.endDescriptor)
        let sources = isHeldUp ? [] : openOutputs
        let descriptors = ahead + sources.map { $0.entry.process.outputs[$0.place].descriptor }
        var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let next = min(end ?? .max, deployment.nextDate ?? .max, isHeldUp ? now + 100 : .max)
        poll(&requests, nfds_t(requests.count), next == .max ? -1 : Int32(min(max(0, next - now), 3_600_000)))
        if requests[1].revents != 0 { output.takeRoom() }
        for (request, source) in zip(requests.dropFirst(ahead.count), sources) where request.revents != 0 {
            read(source.entry, source.place)
        }
    }

    private var openOutputs: [(entry: Running, place: Int)] {
        running.flatMap { entry in entry.isOpen.indices.filter { entry.isOpen[$0] }.map { (entry, $0) } }
    }

    /// Reads what a process wrote before it ended. Somebody else may have its output still, who is not listened to for ever.
    private func readLastWords(_ entry: Running, _ place: Int) {
        for _ in 0..<32 where entry.isOpen[place] {
            if !read(entry, place) { break }
        }
        entry.isOpen[place] = false
        entry.cutters[place].finish(lines(of: entry))
    }

    /// Reads what a process has written.
    /// - Returns: whether there was something.
    @discardableResult
    private func read(_ entry: Running, _ place: Int) -> Bool {
        switch entry.process.outputs[place].read(into: buffer) {
        case .bytes(let count):
            entry.cutters[place].take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), lines(of: entry))
            return true
        case .nothing: return false
        case .end:
            entry.isOpen[place] = false
            entry.cutters[place].finish(lines(of: entry))
            return false
        }
    }

    /// Where the lines of a process go; what a probe says interests nobody.
    private func lines(of entry: Running) -> (UnsafeRawBufferPointer) -> Void {
        { [output] line in
            if !entry.isProbe { output.line(entry.index, line) }
        }
    }
}
