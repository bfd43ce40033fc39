import Foundation

/// What it was measured on.
struct Machine {
    let processor: String
    let cores: Int
    let kernel: String
    let memoryGiB: Int

    init() {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor = line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
        cores = ProcessInfo.processInfo.activeProcessorCount
        kernel = ProcessInfo.processInfo.operatingSystemVersionString
        memoryGiB = Int((Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)).rounded())
    }

    var description: String { "\(cores) cores of \(processor), \(memoryGiB) GiB, \(kernel)" }

    /// Whether this program was built to be measured.
    static var isOptimized: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true; return true
            }())
        return !isDebug
    }
}
