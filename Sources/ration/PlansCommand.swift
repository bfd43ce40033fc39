import PlansSubscriber
import RationCommandLine
import RationConfiguration
import RationModel
import RationPluginKit

/// `ration plans`: the tokens with which phones ask for their plans.
struct PlansCommand: Command {
    static let name = "plans"
    static let summary = "Make the token with which a device asks for its plan"
    static let details = [
        "token prints the token of one device, which follows from the secret of the configuration's subscriber of the plugin "
            + "'plans'. It is for the app's own service, which hands it to the device when it signs in; with it the device "
            + "reads its own plan and no other. Another secret makes all tokens anew."
    ]
    static let action = Argument<String>.required("ACTION", "token")
    static let app = Argument<String>.required("APP", "the app")
    static let device = Argument<String>.required("DEVICE", "the device")
    static let config = Option<String?>.text("config", "FILE", "the configuration with the subscriber; has to be given")
    static let arguments: [any ArgumentDeclaration] = [action, app, device]
    static let options: [any OptionDeclaration] = [config]
    static let examples = [
        Example("ration plans token com.example.habits phone-1 --config deploy/ration.yaml", "for one device")
    ]

    private let app: String
    private let device: String
    private let config: String

    init(_ arguments: ParsedArguments) throws {
        let action = arguments[Self.action]
        guard action == "token" else { throw UsageError(Spelling.unknown("action", action, among: ["token"])) }
        guard let config = arguments[Self.config] else { throw UsageError("expected --config FILE") }
        (app, device, self.config) = (arguments[Self.app], arguments[Self.device], config)
        try Self.check(app, "APP") { Name.isPlain($0, limit: Limits.appBytes) }
        try Self.check(device, "DEVICE") { Name.isText($0, limit: Limits.deviceBytes, slashAllowed: false) }
    }

    private static func check(_ text: String, _ what: String, _ isName: (UnsafeRawBufferPointer) -> Bool) throws {
        var name = text
        guard name.withUTF8({ isName(UnsafeRawBufferPointer($0)) }) else {
            throw UsageError("\(what): expected a name as intents have it, found '\(text.printable)'")
        }
    }

    func run(_ console: Console) throws -> ExitStatus {
        let configuration: Configuration
        do throws(ConfigurationFaults) {
            configuration = try Configuration.read(servicesOf: config, InstalledServices(plugins))
        } catch {
            throw CommandFailure(error)
        }
        guard let subscriber = configuration.subscribers.first(where: { $0.plugin == Plans.name }) else {
            throw CommandFailure("\(config): it has no subscriber of the plugin '\(Plans.name)'")
        }
        let secret: TokenSecret
        do {
            secret = try TokenSecret(file: PlansSettings(subscriber.settings).secret)
        } catch {
            throw CommandFailure("\(error)")
        }
        try console.output.line(secret.token(app: app, device: device))
        return .success
    }
}
