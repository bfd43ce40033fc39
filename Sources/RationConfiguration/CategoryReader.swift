public import RationModel

/// Reads the notification categories that apps declare, from YAML or JSON: a mapping of apps, each with a list of
/// categories.
public enum CategoryReader {
    /// Declarations that can be used, and what is worth a warning in them, in the order of their validation.
    public struct Result: Hashable, Sendable {
        public var declarations: CategoryDeclarations
        public var warnings: [ConfigurationFault]
    }

    /// Reads a text in memory.
    /// - Parameters:
    ///   - text: UTF-8, at most 4 MiB.
    ///   - file: its name, for faults.
    /// - Throws: all faults, in the order of the lines.
    public static func read(text: [UInt8], file: String) throws(ConfigurationFaults) -> Result {
        let document = try YAMLDocument(text, file: file)
        var decoding = Decoding(file: file)
        decoding.add(document.faults)
        var reading = CategoryDecoding(decoding: decoding, base: "")
        let declarations = reading.declarations(document.root)
        let faults = reading.decoding.sorted()
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return Result(declarations: declarations, warnings: reading.decoding.warnings)
    }

    /// Reads a file.
    /// - Throws: all faults; one without a line when the file cannot be read.
    public static func read(file: String) throws(ConfigurationFaults) -> Result {
        let text: [UInt8]
        do {
            text = try FileText.read(file)
        } catch {
            throw ConfigurationFaults([ConfigurationFault(file: file, message: error.message)])
        }
        return try read(text: text, file: file)
    }
}
