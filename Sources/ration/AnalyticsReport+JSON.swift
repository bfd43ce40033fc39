import AnalyticsSubscriber
import RationModel
import RationWire

extension AnalyticsReport {
    /// The report as one JSON object.
    var json: [UInt8] {
        ObjectText.bytes { object in
            object.text("log", log)
            object.list("logs", logs)
            object.text("now", now.rfc3339)
            if let hours {
                object.text("from", instant(hours.lowerBound).rfc3339)
                object.text("to", instant(hours.upperBound + 1).rfc3339)
            }
            object.integers(("events", Int(events)))
            object.object("current") { Self.write(current, to: &$0) }
            object.list("types", types, Self.write)
            object.list("apps", apps, Self.write)
            object.list("hours", hourly, Self.write)
            object.list("reasons", whys, Self.write)
            object.list("durations", durations, Self.write)
            object.object("opens") { Self.write(opens, to: &$0) }
            let samples = bins.map { bins in
                self.samples.indices.compactMap { index in self.samples[index].map { (bins.begin(index), $0) } }
            }
            object.list("samples", samples ?? []) { sample, object in
                object.text("time", sample.0.rfc3339)
                Self.write(sample.1, to: &object)
            }
        }
    }

    private func instant(_ hour: Int64) -> Instant { Instant(milliseconds: hour * 3_600_000) }

    private static func write(_ sample: Sample, to object: inout ObjectText) {
        object.integers(
            ("held", Int(sample.held)), ("queued", Int(sample.queued)), ("recipients", Int(sample.recipients)),
            ("recipientsOverBudget", Int(sample.over)))
    }

    private static func write(_ group: Group, to object: inout ObjectText) {
        object.text("name", group.name)
        object.integers(
            ("accepted", Int(group[.accepted])), ("queued", Int(group[.queued])), ("evicted", Int(group[.evicted])),
            ("evictedForGood", Int(group.evictedForGood)), ("due", Int(group[.due])), ("expired", Int(group[.expired])),
            ("cancelled", Int(group[.cancelled])), ("delivered", Int(group[.delivered])),
            ("opened", Int(group[.opened])), ("dismissed", Int(group[.dismissed])), ("action", Int(group[.action])),
            ("failed", Int(group[.failed])))
    }

    private static func write(_ rates: OpenRates, to object: inout ObjectText) {
        object.list("types", rates.types, write)
        object.list("hoursOfDay", rates.hoursOfDay, write)
        object.list("priorities", rates.priorities, write)
    }

    private static func write(_ rate: OpenRate, to object: inout ObjectText) {
        object.text("name", rate.name)
        object.integers(
            ("due", Int(rate.due)), ("failed", Int(rate.failed)), ("shown", Int(rate.shown)),
            ("opened", Int(rate.opened)))
    }

    private static func write(_ why: Why, to object: inout ObjectText) {
        object.texts(("kind", "\(why.kind.name)"), ("cause", "\(why.cause.name)"), ("reason", "\(why.reason.name)"))
        if let isFinal = why.isFinal { object.bool("final", isFinal) }
        object.integers(("count", Int(why.count)))
    }

    private static func write(_ durations: Durations, to object: inout ObjectText) {
        object.texts(("measure", "\(durations.measure)"), ("type", durations.type))
        object.integers(
            ("count", Int(durations.count)), ("sumMs", Int(durations.sumMilliseconds)),
            ("mostMs", Int(durations.mostMilliseconds)))
        object.list("buckets", durations.buckets.indices.filter { durations.buckets[$0] > 0 }) { index, object in
            if index < DurationBuckets.bounds.count {
                object.integers(("atMostMs", Int(DurationBuckets.bounds[index])))
            }
            object.integers(("count", Int(durations.buckets[index])))
        }
    }
}
