/// Lines of NDJSON, one intent each, about one app.
enum IntentLine {
    static let app = "com.example.habits"

    /// - Parameters:
    ///   - at: milliseconds since 1970.
    ///   - more: further members, each with a comma in front.
    static func schedule(
        _ id: String, on device: String = "d1", app: String = app, at: Int, type: String? = nil, more: String = ""
    ) -> String {
        schedule(id, on: device, app: app, trigger: #"{"at":\#(at)}"#, type: type, more: more)
    }

    static func schedule(
        _ id: String, on device: String = "d1", app: String = app, trigger: String, type: String? = nil,
        more: String = ""
    ) -> String {
        let typed = type.map { #","type":"\#($0)""# } ?? ""
        return #"{"op":"schedule","app":"\#(app)","device":"\#(device)","id":"\#(id)"\#(typed),"#
            + #""content":{"title":"Water"},"trigger":\#(trigger)\#(more)}"#
    }

    static func cancel(_ id: String, on device: String = "d1", app: String = app) -> String {
        #"{"op":"cancel","app":"\#(app)","device":"\#(device)","id":"\#(id)"}"#
    }

    /// - Parameter more: further members, each with a comma in front.
    static func of(_ operation: String, on device: String = "d1", app: String = app, more: String = "") -> String {
        #"{"op":"\#(operation)","app":"\#(app)","device":"\#(device)"\#(more)}"#
    }

    /// Schedules the same `ids` on each of many devices: as many `accepted` as there are lines, when they fit.
    static func wave(devices: Int, ids: Int, at: Int) -> [String] {
        (0..<devices).flatMap { device in
            (0..<ids).map { schedule("n\($0)", on: "device-\(device)", at: at) }
        }
    }
}
