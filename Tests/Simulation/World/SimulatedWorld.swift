import RationBus
import RationModel
import RationStore
import TestSupport

@testable import RationBroker

/// A broker, its publishers and its readers in one thread, with a disk, a network and clocks that a seed makes fail; and what
/// must hold whatever happens. The same seed is the same run.
final class SimulatedWorld {
    /// Steps before everything is healed and comes to rest.
    static let steps = 240

    let seed: UInt64
    let fault: PlantedFault?
    let climate: Climate
    var random: SplitMix64
    let clock: SimulatedClock
    var disk: MemoryDisk
    var broker: SimulatedBroker?
    var network = Network()
    let publishers: [SimulatedPublisher]
    let readers: [SimulatedReader]
    var book = Book()
    var trace = Trace()
    var tally = Tally()
    /// The policy that the broker's configuration names.
    var policy = 0
    /// Whether a fault of the disk's was set for the process that runs, so that it may end by itself.
    var mayFail = false
    /// Whether what is stored was damaged: a broker that says so and does not start is right.
    var isDamaged = false
    /// Whether nothing goes wrong any more.
    var isHealed = false
    var starts = 0
    /// Whether the process that began last has ended.
    var isEnded = true
    /// The slots of the policy under which all recipients are planned; nil while that may be another one.
    var replannedSlots: Int?
    /// Whether a wall clock that is ahead was believed.
    var hasJumped = false
    /// Whether a start said that the store is damaged.
    var hasRefused = false

    init(seed: UInt64, fault: PlantedFault? = nil, context: Context) throws {
        (self.seed, self.fault) = (seed, fault)
        var random = SplitMix64(seed: seed)
        climate = Climate(&random)
        let clock = SimulatedClock()
        self.clock = clock
        disk = MemoryDisk { clock.milliseconds }
        publishers = try ["p", "q", ""].enumerated().map { place, name in
            try SimulatedPublisher(name: name, place: place, clock: clock, context: context, seed: random.next())
        }
        readers = [false, false, true].map {
            SimulatedReader(listens: $0, clock: clock, keepsPositionFirst: fault == .keepsPositionFirst)
        }
        self.random = random
        plant()
    }

    /// Runs to the end.
    /// - Throws: `Breach`, or what else must not be thrown.
    func run() throws {
        do {
            for _ in 0..<Self.steps where !hasRefused { try step() }
            if !hasRefused { try comeToRest() }
        } catch let error as StoreError where isDamaged {
            note("refused: \(error.message)")
        }
        trace.mix(disk.traceHash)
    }

    func below(_ bound: UInt64) -> UInt64 { (random.next() as UInt64) % bound }

    func chance(_ oneIn: UInt64) -> Bool { below(oneIn) == 0 }

    func note(_ line: String, _ words: String = "") { trace.note(line, words) }

    /// Puts the faults in place that lie in the disk.
    func plant() {
        switch fault {
        case .dropsSyncs: disk.dropSyncs(ofFilesEnding: ".log")
        case .hidesFailedSyncs: disk.hideFailedSyncs()
        case .forgetsAcknowledged: disk.forgetsOverwrites = true
        default: break
        }
    }

    var settings: StoreSettings {
        var settings = StoreSettings()
        settings.retentionBytes = climate.retentionBytes
        settings.watermarkBytes = 192 << 10
        settings.watermarkPercent = 0
        settings.ballastBytes = 96 << 10
        settings.memtableBytes = 64 << 10
        settings.logBytes = 256 << 10
        settings.disk = disk
        return settings
    }
}
