import CountingMalloc
import RationModel
import RationZones
import TestSupport

/// Bytes on the heap for each pending notification beside its content and id, as malloc gave them.
struct PendingMemory {
    private static let pendingCounts = [8, 24, 64, 128]
    private static let aimedCount = 64
    private static let aimBytes = 40.0

    private let recipients: Int
    private let zones: ZoneDatabase

    init(recipients: Int, _ zones: ZoneDatabase) {
        self.recipients = recipients
        self.zones = zones
    }

    func measure() throws -> [Figure] {
        let empty = liveBytes(pending: 0, isBare: true)
        var figures: [Figure] = [
            Figure(
                name: "memory.recipient", text: "a recipient without any", value: Double(empty.filled / recipients),
                unit: "bytes")
        ]
        for count in Self.pendingCounts {
            let live = liveBytes(pending: count, isBare: false)
            let bare = liveBytes(pending: count, isBare: true)
            func figure(_ key: String, _ what: String, _ bytes: Int) -> Figure {
                let perPending = Double(bytes - empty.filled) / Double(recipients * count)
                return Figure(
                    name: "memory.\(key).\(count)", text: "\(what), \(count) each",
                    value: perPending - Double(live.content) / Double(count), unit: "bytes", digits: 1,
                    aim: count == Self.aimedCount && key != "bare" ? .atMost(Self.aimBytes) : nil)
            }
            figures.append(figure("filled", "beside content and id, filled one by one", live.filled))
            figures.append(figure("replaced", "and each replaced", live.replaced))
            figures.append(figure("bare", "without type and expires", bare.filled))
        }
        return figures
    }

    /// Live bytes of all recipients with so many pending each, one intent a batch; and once each pending one was replaced.
    private func liveBytes(pending: Int, isBare: Bool) -> (filled: Int, replaced: Int, content: Int) {
        let schedules = Schedules(
            recipients: recipients, ids: max(pending, 1), isTypeNamed: !isBare, lifetime: isBare ? nil : 4 * 3_600_000)
        let content = schedules.contentBytes(ids: pending)
        var random = SplitMix64(seed: UInt64(pending))
        var settings = DeviceSettings()
        settings.reserved = 0
        ration_allocation_count_start()
        var planner = CorePlanner(.plain, zones: zones, schedules)
        for recipient in 0..<recipients { planner.configure(settings, of: recipient) }
        var live: [Int] = []
        for _ in 0..<2 {
            for id in 0..<pending {
                for recipient in 0..<recipients {
                    var step = Step.random(1, recipients: 1, ids: 1, days: 10, random: &random)
                    (step[0].recipient, step[0].id) = (recipient, id)
                    _ = planner.decide(step[...])
                }
            }
            live.append(Int(ration_allocation_count_so_far().live_bytes))
        }
        _ = ration_allocation_count_end()
        _ = planner.decide([])
        return (live[0], live[1], content)
    }
}
