public import RationModel

/// Reads a policy (semantics.md section 3) from YAML or JSON.
///
/// Types are strict: `"64"` and `64.0` are no whole numbers, `yes` is no truth value, a duration is a text such as
/// `1h`. `null` counts as absent.
public enum PolicyReader {
    /// A policy that can be used, and what is worth a warning in it, in the order of the lines.
    public struct Result: Hashable, Sendable {
        public var policy: Policy
        public var warnings: [ConfigurationFault]
    }

    /// Reads a text in memory.
    /// - Parameters:
    ///   - text: UTF-8, at most 4 MiB.
    ///   - file: its name, for faults.
    ///   - orders: the names of the orders that are installed.
    ///   - zones: knows the time zones.
    /// - Throws: all faults, in the order of the lines.
    public static func readWithWarnings(
        text: [UInt8], file: String, orders: [String], zones: any ZoneChecking
    ) throws(ConfigurationFaults) -> Result {
        let document = try YAMLDocument(text, file: file)
        var decoding = Decoding(file: file)
        decoding.add(document.faults)
        var reading = PolicyDecoding(decoding: decoding, base: "", orders: orders, zones: zones)
        let policy = reading.policy(document.root)
        let faults = reading.decoding.sorted()
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return Result(policy: policy, warnings: reading.decoding.warnings)
    }

    /// Reads a file.
    /// - Throws: all faults; one without a line when the file cannot be read.
    public static func readWithWarnings(
        file: String, orders: [String], zones: any ZoneChecking
    ) throws(ConfigurationFaults) -> Result {
        let text: [UInt8]
        do {
            text = try FileText.read(file)
        } catch {
            throw ConfigurationFaults([ConfigurationFault(file: file, message: error.message)])
        }
        return try readWithWarnings(text: text, file: file, orders: orders, zones: zones)
    }

    /// Reads a text in memory and passes over warnings.
    public static func read(
        text: [UInt8], file: String, orders: [String], zones: any ZoneChecking
    ) throws(ConfigurationFaults) -> Policy {
        try readWithWarnings(text: text, file: file, orders: orders, zones: zones).policy
    }

    /// Reads a file and passes over warnings.
    public static func read(
        file: String, orders: [String], zones: any ZoneChecking
    ) throws(ConfigurationFaults) -> Policy {
        try readWithWarnings(file: file, orders: orders, zones: zones).policy
    }
}
