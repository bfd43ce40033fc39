extension QuietWindow {
    /// Checks what semantics.md section 3 demands of quiet hours: a policy's, or a device's own.
    /// - Parameters:
    ///   - windows: they hold together.
    ///   - path: where they stand, `quietHours`.
    /// - Returns: all faults, `quietHours[0].to` first; none for hours that can be used. O(windows + types named).
    public static func faults(of windows: [QuietWindow], at path: String) -> [PolicyFault] {
        var faults: [PolicyFault] = []
        faults.checkCount(windows.count, atMost: Limits.quietWindows, of: "windows", at: path)
        guard faults.isEmpty else { return faults }
        for (index, window) in windows.enumerated() { window.check(at: "\(path)[\(index)]", &faults) }
        // What is no window yet takes no minute.
        faults += WeekCoverage(windows.filter(\.hasTimes)).faults(at: path)
        return faults
    }

    /// Minutes from its beginning to its end.
    var length: Int {
        from < to ? to - from : to - from + TimeOfDay.minutesPerDay
    }

    private static let fromRange = 0...TimeOfDay.minutesPerDay - 1
    private static let toRange = 0...TimeOfDay.minutesPerDay

    private var hasTimes: Bool {
        Self.fromRange.contains(from) && Self.toRange.contains(to) && from != to
    }

    private func check(at path: String, _ faults: inout [PolicyFault]) {
        for (name, time, range) in [("from", from, Self.fromRange), ("to", to, Self.toRange)] {
            guard !range.contains(time) else { continue }
            let ends = "\(TimeOfDay.text(range.lowerBound)) to \(TimeOfDay.text(range.upperBound))"
            faults.append(
                PolicyFault(path: "\(path).\(name)", "expected a time from \(ends), found \(TimeOfDay.text(time))"))
        }
        if from == to, Self.fromRange.contains(from) {
            faults.append(
                PolicyFault(
                    path: "\(path).to", "expected a time other than 'from', found \(TimeOfDay.text(to)) for both"))
        }
        faults.checkNames(types, at: "\(path).types")
    }
}

/// What windows leave free of a week, by type and level.
private struct WeekCoverage {
    private let windows: [QuietWindow]
    private let minutes: [WeekMinutes]

    /// - Parameter windows: at most 64; their times are within their ranges.
    init(_ windows: [QuietWindow]) {
        self.windows = windows
        let total = windows.reduce(0) { $0 + $1.length * $1.days.rawValue.nonzeroBitCount }
        // Windows that do not add up to a week leave a minute free, whomever they bind: so most hours are settled.
        minutes = total < WeekMinutes.count ? [] : windows.map { WeekMinutes($0) }
    }

    /// A fault for all types at the levels without a free minute, then one for every named type that has more of them.
    func faults(at path: String) -> [PolicyFault] {
        guard !minutes.isEmpty else { return [] }
        let forAll = Self.mask(windows.indices.filter { windows[$0].types == nil })
        let levels = fullLevels(forAll)
        var faults = levels.isEmpty ? [] : [fault(at: path, "any type", levels)]
        // Many types share few sets of windows.
        var known: [UInt64: [InterruptionLevel]] = [:]
        for (type, mask) in naming() {
            let full = known[mask] ?? fullLevels(forAll | mask)
            known[mask] = full
            if full.count > levels.count {
                faults.append(fault(at: path, "the type '\(type.shortened)'", full.filter { !levels.contains($0) }))
            }
        }
        return faults
    }

    /// The windows that name a type, a bit each, sorted by the type.
    private func naming() -> [(type: String, mask: UInt64)] {
        var masks: [String: UInt64] = [:]
        for (index, window) in windows.enumerated() {
            for type in window.types ?? [] { masks[type, default: 0] |= Self.mask([index]) }
        }
        return masks.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
            (type: $0.key, mask: $0.value)
        }
    }

    private static func mask(_ indices: [Int]) -> UInt64 {
        indices.reduce(0) { $0 | 1 << UInt64($1) }
    }

    /// The levels that these windows leave no minute.
    private func fullLevels(_ mask: UInt64) -> [InterruptionLevel] {
        InterruptionLevel.allCases.filter { level in
            var union = WeekMinutes()
            for index in windows.indices where mask >> UInt64(index) & 1 != 0 && !windows[index].exempt.contains(level)
            {
                union.formUnion(minutes[index])
            }
            return union.isFull
        }
    }

    private func fault(at path: String, _ types: String, _ levels: [InterruptionLevel]) -> PolicyFault {
        let names = levels.map { "\($0.name)" }.joined(separator: ", ")
        return PolicyFault(
            path: path,
            "expected a free minute in the week for every type and level, found none for \(types) with \(names)")
    }
}
