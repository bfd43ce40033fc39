import RationConfiguration
import RationModel
import Testing

/// Three time zones.
struct FewZones: ZoneChecking {
    private static let names = ["UTC", "Europe/Madrid", "America/Sao_Paulo"]

    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        Self.names.contains(String(decoding: name, as: UTF8.self))
    }
}

let orders = ["priority", "soonest"]

/// A document and the faults that it must have, as a person reads them.
struct BadDocument: CustomTestStringConvertible, Sendable {
    var text: String
    var faults: [String]

    init(_ text: String, _ faults: String...) {
        self.text = text
        self.faults = faults
    }

    var testDescription: String { "\(text.prefix(60).debugDescription) → \(faults)" }
}

/// The faults of a policy's text, `file:line:column: path: message` each; none when it is taken.
func faults(ofPolicy text: [UInt8]) -> [String] {
    do {
        _ = try PolicyReader.read(text: text, file: "p", orders: orders, zones: FewZones())
        return []
    } catch {
        return error.faults.map(\.description)
    }
}

func faults(ofPolicy text: String) -> [String] {
    faults(ofPolicy: Array(text.utf8))
}

func policy(_ text: String) throws -> Policy {
    try PolicyReader.read(text: Array(text.utf8), file: "p", orders: orders, zones: FewZones())
}

/// The faults of a configuration's text.
func faults(ofConfiguration text: String) -> [String] {
    do {
        _ = try configuration(text)
        return []
    } catch {
        return error.faults.map(\.description)
    }
}

func configuration(_ text: String) throws(ConfigurationFaults) -> Configuration {
    try Configuration.read(
        text: Array(text.utf8), file: "c", orders: orders, zones: FewZones(), services: someServices)
}

/// Two schedulers and a subscriber, as a program might have them.
let someServices = InstalledServices(
    schedulers: [
        InstalledPlugin(
            name: "habit", tables: [.init("habits", isOptional: false), .init("entries", isOptional: true)],
            settings: [
                SettingDescription("horizon", "a duration", "how far ahead", standard: "7d"),
                SettingDescription("messages", "a mapping", "what they say", standard: "{}"),
            ], faults: faultsOfSettings),
        InstalledPlugin(
            name: "sleep", tables: [.init("nights", isOptional: false)],
            settings: [SettingDescription("hour", "a time of day", "when to sleep", standard: nil)],
            faults: faultsOfSettings),
    ],
    subscribers: [
        InstalledPlugin(
            name: "analytics",
            settings: [SettingDescription("bins", "a list of numbers", "of the histogram", standard: "[]")],
            faults: faultsOfSettings)
    ])

/// Wants texts alone, but for lists of numbers.
@Sendable func faultsOfSettings(_ settings: [Setting]) -> [SettingFault] {
    settings.flatMap { faults(of: $0.value, at: $0.name) }
}

private func faults(of value: SettingValue, at path: String) -> [SettingFault] {
    switch value {
    case .text: []
    case .list(let values):
        values.enumerated().compactMap { index, value in
            if case .number = value { nil } else { SettingFault(path: "\(path)[\(index)]", "expected a number") }
        }
    case .mapping(let settings): settings.flatMap { faults(of: $0.value, at: "\(path).\($0.name)") }
    case .wholeNumber, .number, .truth: [SettingFault(path: path, "expected a text")]
    }
}
