import RationCommandLine
import RationJSON
import RationModel

extension EventReader.Event {
    private static let kindWidth = 9
    /// The longest of causes and reasons is `unregistered`.
    private static let whyWidth = 12

    /// The event in one line: time, kind, why, recipient, id, type and priority, fire date, and whether that was its end; of
    /// feedback the action or why it failed, recipient, id, and how much was typed.
    /// - Parameter width: columns; what does not fit is cut from the end.
    func line(_ terminal: Terminal, width: Int = .max) -> String {
        let parts = kind.isFeedback ? feedbackParts : planParts
        let kindText = DisplayWidth.padded("\(kind.name)", to: Self.kindWidth)
        let beginning = "\(terminal.styled(time, .dim))  \(terminal.styled(kindText, kind.style))  "
        let left = max(1, width - (time.utf8.count + Self.kindWidth + 4))
        return beginning + DisplayWidth.cut(parts.joined(separator: "  "), to: left)
    }

    private var planParts: [String] {
        let parts = [
            DisplayWidth.padded(data["cause"]?.text ?? data["reason"]?.text ?? "", to: Self.whyWidth),
            "\(text("app"))/\(text("device"))", text("id"), "\(type) p=\(data["priority"]?.integer ?? 0)",
            "fires \(text("fireDate"))",
        ]
        return data["final"]?.bool == true ? parts + ["final"] : parts
    }

    private var feedbackParts: [String] {
        let why = data["action"] == nil ? text("reason") : text("action")
        let parts = [
            DisplayWidth.padded(why, to: Self.whyWidth), "\(text("app"))/\(text("device"))", text("id"),
        ]
        return parts + (data["textLength"]?.integer.map { ["\($0) characters typed"] } ?? [])
    }
}

extension EventKind {
    fileprivate var style: Terminal.Style {
        switch self {
        case .accepted: .green
        case .queued: .yellow
        case .evicted: .red
        case .expired: .magenta
        case .due: .cyan
        case .cancelled: .blue
        case .delivered, .dismissed: .dim
        case .opened, .action: .bold
        case .failed: .red
        }
    }
}
