import RationBus
import RationWire
import Synchronization

/// What other threads ask of the deciding one; it looks once a turn of its loop.
final class DecideMailbox: Sendable {
    /// A `plan` on its way from the reading thread.
    struct PlanRequest: Sendable {
        var app: String
        var device: String
        var address: ReplyAddress
        var numberFrame: [UInt8]
    }

    /// A `snapshot` on its way from the reading thread.
    struct SnapshotQuestion: Sendable {
        var request: SnapshotRequest
        var address: ReplyAddress
        var numberFrame: [UInt8]
    }

    /// A `clock` on its way from the reading thread.
    struct ClockQuestion: Sendable {
        /// Whether the wall clock is to be believed from now on.
        var accepts: Bool
        var address: ReplyAddress
        var numberFrame: [UInt8]
    }

    /// A `devices` on its way from the reading thread.
    struct DevicesQuestion: Sendable {
        var recipients: [DevicesRequest.Recipient]
        var address: ReplyAddress
        var numberFrame: [UInt8]
    }

    /// A `forget` on its way from the reading thread.
    struct ForgetQuestion: Sendable {
        var recipient: DevicesRequest.Recipient
        var address: ReplyAddress
        var numberFrame: [UInt8]
    }

    private struct State {
        var forgets: [ForgetQuestion] = []
        var devices: [DevicesQuestion] = []
        var holdings: [HoldingQuestion] = []
        var clocks: [ClockQuestion] = []
        var plans: [PlanRequest] = []
        var snapshots: [SnapshotQuestion] = []
        var explains: [ExplainRequest] = []
        var proposals: [RevisionProposal] = []
        var turnsAsked: UInt64 = 0
        var turnsDone: UInt64 = 0
        var isStopping = false
    }

    /// Plans that may wait; beyond, a client is told `busy`.
    static let planLimit = 1024
    /// Questions about devices that may wait; beyond, a client is told `busy`.
    static let devicesLimit = 64
    /// Devices that may wait to be forgotten; beyond, a client is told `busy`.
    static let forgetLimit = 1
    /// Questions about the clock that may wait; beyond, a client is told `busy`.
    static let clockLimit = 64
    /// Pages of snapshots that may wait; beyond, a client is told `busy`.
    static let snapshotLimit = 64

    /// Revisions that may wait: each may hold megabytes.
    static let proposalLimit = 8

    let wakeup: Wakeup
    /// Woken when a turn is done.
    private let turnWakeup: Wakeup
    private let state = Mutex(State())

    init() throws(ZeroMQError) {
        wakeup = try Wakeup()
        turnWakeup = try Wakeup()
    }

    private func add<Element: Sendable>(
        _ element: Element, to list: any WritableKeyPath<State, [Element]> & Sendable, atMost limit: Int
    ) -> Bool {
        let isTaken = state.withLock { state in
            guard state[keyPath: list].count < limit else { return false }
            state[keyPath: list].append(element)
            return true
        }
        if isTaken { wakeup.signal() }
        return isTaken
    }

    /// - Returns: whether there was room.
    func ask(_ plan: PlanRequest) -> Bool {
        add(plan, to: \.plans, atMost: Self.planLimit)
    }

    func takePlans() -> [PlanRequest] {
        state.withLock { state in
            defer { state.plans.removeAll() }
            return state.plans
        }
    }

    /// - Returns: whether there was room.
    func ask(_ clock: ClockQuestion) -> Bool {
        add(clock, to: \.clocks, atMost: Self.clockLimit)
    }

    func takeClocks() -> [ClockQuestion] {
        state.withLock { state in
            defer { state.clocks.removeAll() }
            return state.clocks
        }
    }

    /// - Returns: whether there was room.
    func ask(_ devices: DevicesQuestion) -> Bool {
        add(devices, to: \.devices, atMost: Self.devicesLimit)
    }

    func takeDevices() -> [DevicesQuestion] {
        state.withLock { state in
            defer { state.devices.removeAll() }
            return state.devices
        }
    }

    /// - Returns: whether there was room.
    func ask(_ holding: HoldingQuestion) -> Bool {
        add(holding, to: \.holdings, atMost: HoldingDesk.limit)
    }

    /// The oldest that waits.
    func takeHolding() -> HoldingQuestion? {
        state.withLock { $0.holdings.isEmpty ? nil : $0.holdings.removeFirst() }
    }

    /// - Returns: whether there was room.
    func ask(_ forget: ForgetQuestion) -> Bool {
        add(forget, to: \.forgets, atMost: Self.forgetLimit)
    }

    func takeForgets() -> [ForgetQuestion] {
        state.withLock { state in
            defer { state.forgets.removeAll() }
            return state.forgets
        }
    }

    /// - Returns: whether there was room.
    func ask(_ snapshot: SnapshotQuestion) -> Bool {
        add(snapshot, to: \.snapshots, atMost: Self.snapshotLimit)
    }

    /// The oldest that waits.
    func takeSnapshot() -> SnapshotQuestion? {
        state.withLock { $0.snapshots.isEmpty ? nil : $0.snapshots.removeFirst() }
    }

    func ask(_ explain: ExplainRequest) {
        state.withLock { $0.explains.append(explain) }
        wakeup.signal()
    }

    /// The oldest that waits.
    func takeExplain() -> ExplainRequest? {
        state.withLock { $0.explains.isEmpty ? nil : $0.explains.removeFirst() }
    }

    /// - Returns: whether there was room.
    func propose(_ proposal: RevisionProposal) -> Bool {
        add(proposal, to: \.proposals, atMost: Self.proposalLimit)
    }

    func takeProposals() -> [RevisionProposal] {
        state.withLock { state in
            let proposals = state.proposals
            state.proposals.removeAll()
            return proposals
        }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Waits until the deciding thread has made a whole turn that began after this call; by one thread at a time.
    /// - Returns: whether it did in time.
    func awaitTurn(milliseconds: Int) -> Bool {
        let turn = state.withLock { state in
            state.turnsAsked += 1
            return state.turnsAsked
        }
        wakeup.signal()
        var poller = Poller()
        _ = poller.add(fileDescriptor: turnWakeup.fileDescriptor)
        let deadline = Monotonic.milliseconds() + milliseconds
        while state.withLock({ $0.turnsDone < turn }) {
            let left = deadline - Monotonic.milliseconds()
            guard left > 0, (try? poller.wait(milliseconds: left)) != nil else { return false }
            turnWakeup.drain()
        }
        return true
    }

    /// The turns that are asked for as a turn begins; `endTurn` tells them done.
    func beginTurn() -> UInt64 {
        state.withLock { $0.turnsAsked }
    }

    func endTurn(_ turn: UInt64) {
        let isNew = state.withLock { state in
            defer { state.turnsDone = turn }
            return turn > state.turnsDone
        }
        if isNew { turnWakeup.signal() }
    }
}

/// What the deciding thread tells the reading one: answers to pass on, and that a batch was committed.
final class QueryMailbox: Sendable {
    /// The socket that an answer goes out on.
    enum Door: CaseIterable {
        case queries, admin
    }

    private struct State {
        var answers: [Door: [Answer]] = [:]
        var explained: [Explained] = []
        var found: [FoundHoldings] = []
        var isStopping = false
        var hasReaders = false
    }

    let wakeup: Wakeup
    private let state = Mutex(State())

    init() throws(ZeroMQError) {
        wakeup = try Wakeup()
    }

    func post(_ answer: Answer, on door: Door = .queries) {
        state.withLock { $0.answers[door, default: []].append(answer) }
        wakeup.signal()
    }

    func takeAnswers(on door: Door) -> [Answer] {
        state.withLock { $0.answers.removeValue(forKey: door) ?? [] }
    }

    func post(_ explained: Explained) {
        state.withLock { $0.explained.append(explained) }
        wakeup.signal()
    }

    func post(_ found: FoundHoldings) {
        state.withLock { $0.found.append(found) }
        wakeup.signal()
    }

    func takeFoundHoldings() -> [FoundHoldings] {
        state.withLock { state in
            defer { state.found.removeAll() }
            return state.found
        }
    }

    func takeExplained() -> [Explained] {
        state.withLock { state in
            defer { state.explained.removeAll() }
            return state.explained
        }
    }

    /// A batch with events was committed: wakes the reading thread if somebody waits for events.
    func committed() {
        if state.withLock({ $0.hasReaders }) { wakeup.signal() }
    }

    /// Whether somebody waits for events.
    func setHasReaders(_ hasReaders: Bool) {
        state.withLock { $0.hasReaders = hasReaders }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }
}
