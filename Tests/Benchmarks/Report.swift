import Foundation
import RationJSON

/// What the benchmark prints.
struct Report {
    let settings: Invocation.Settings
    let command: [String]
    let fillSeconds: Double
    /// What the broker holds in memory after it was filled.
    let memoryMiB: Int
    var results: [PackResult] = []
    private let machine = Machine()

    init(settings: Invocation.Settings, command: [String], fillSeconds: Double, memoryMiB: Int) {
        self.settings = settings
        self.command = command
        self.fillSeconds = fillSeconds
        self.memoryMiB = memoryMiB
    }

    var text: String {
        var lines = [
            "machine  \(machine.description)",
            "broker   \(command.joined(separator: " "))",
            "filled   \(grouped(Double(settings.recipients))) recipients in \(fixed(fillSeconds, 1)) s, "
                + "\(grouped(Double(settings.recipients) / fillSeconds)) intents/s, then \(memoryMiB) MiB",
            "measured \(settings.runs) runs, intents of \(Requests.lineBytes) bytes for random recipients, a window of 64 "
                + "requests, tcp on loopback; medians (least to most), acknowledged intents a second",
            "",
        ]
        if !Machine.isOptimized { lines.insert("NOT OPTIMIZED: swift run -c release bench", at: 0) }
        for result in results { lines += self.lines(of: result) + [""] }
        return lines.dropLast().joined(separator: "\n")
    }

    private func lines(of result: PackResult) -> [String] {
        let millions = Double(result.intents) / 1_000_000
        let threads = result.processor.threads.filter { $0.value.user + $0.value.system > 0.005 }
        let sorted = threads.sorted {
            ($0.value.user + $0.value.system, $1.key) > ($1.value.user + $1.value.system, $0.key)
        }
        let total = result.processor.total
        return [
            "\(result.intentsEach) a request, \(grouped(Double(result.intents / settings.runs))) intents a run",
            "  sockets alone  \(spread(result.alone))",
            "  through broker \(spread(result.through))",
            "  ratio          \(fixed(result.ratio, 3))",
            "  broker's processor seconds per million intents: user \(fixed(total.user / millions, 2)), "
                + "system \(fixed(total.system / millions, 2))",
        ]
            + sorted.map { name, share in
                "    \(name.padding(toLength: 16, withPad: " ", startingAt: 0)) user \(fixed(share.user / millions, 2)), "
                    + "system \(fixed(share.system / millions, 2))"
            }
    }

    private func spread(_ values: [Double]) -> String {
        "\(grouped(values.median)) (\(grouped(values.min() ?? 0)) to \(grouped(values.max() ?? 0)))"
    }

    private func fixed(_ value: Double, _ digits: Int) -> String { Decimals.text(value, digits) }

    private func grouped(_ value: Double) -> String { Decimals.grouped(value) }

    var json: String {
        var writer = JSONWriter(capacity: 4_096)
        writer.raw(#"{"machine":"#)
        writer.string(machine.description)
        writer.raw(#","command":"#)
        writer.string(command.joined(separator: " "))
        writer.raw(Machine.isOptimized ? #","optimized":true"# : #","optimized":false"#)
        number("recipients", Double(settings.recipients), &writer)
        number("fillSeconds", fillSeconds, &writer)
        number("memoryMiB", Double(memoryMiB), &writer)
        number("lineBytes", Double(Requests.lineBytes), &writer)
        number("window", 64, &writer)
        number("runs", Double(settings.runs), &writer)
        writer.raw(#","results":["#)
        for (index, result) in results.enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            write(result, &writer)
        }
        writer.raw("]}")
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ result: PackResult, _ writer: inout JSONWriter) {
        let millions = Double(result.intents) / 1_000_000
        writer.raw(#"{"intentsEach":"#)
        writer.number(Double(result.intentsEach))
        number("intentsEachRun", Double(result.intents / settings.runs), &writer)
        numbers("alone", result.alone, &writer)
        numbers("through", result.through, &writer)
        number("aloneMedian", result.alone.median, &writer)
        number("throughMedian", result.through.median, &writer)
        number("ratio", result.ratio, &writer)
        number("userSecondsPerMillion", result.processor.total.user / millions, &writer)
        number("systemSecondsPerMillion", result.processor.total.system / millions, &writer)
        writer.byte(UInt8(ascii: "}"))
    }

    private func number(_ name: StaticString, _ value: Double, _ writer: inout JSONWriter) {
        writer.byte(UInt8(ascii: ","))
        writer.key(name)
        writer.number(value)
    }

    private func numbers(_ name: StaticString, _ values: [Double], _ writer: inout JSONWriter) {
        writer.byte(UInt8(ascii: ","))
        writer.key(name)
        writer.byte(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            writer.number(value)
        }
        writer.byte(UInt8(ascii: "]"))
    }
}
