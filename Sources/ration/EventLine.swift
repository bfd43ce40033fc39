import RationCommandLine
import RationJSON
import RationModel

extension EventReader.Event {
    private static let kindWidth = 9
    /// The longest of causes and reasons is `unregistered`.
    private static let whyWidth = 12

    /// The event in one line: time, kind, why, recipient, id, type and priority, fire date, and whether that was its end.
    /// - Parameter width: columns; what does not fit is cut from the end.
    func line(_ terminal: Terminal, width: Int = .max) -> String {
        var parts = [
            DisplayWidth.padded(data["cause"]?.text ?? data["reason"]?.text ?? "", to: Self.whyWidth),
            "\(text("app"))/\(text("device"))", text("id"), "\(type) p=\(data["priority"]?.integer ?? 0)",
            "fires \(text("fireDate"))",
        ]
        if data["final"]?.bool == true { parts.append("final") }
        let kindText = DisplayWidth.padded("\(kind.name)", to: Self.kindWidth)
        let beginning = "\(terminal.styled(time, .dim))  \(terminal.styled(kindText, kind.style))  "
        let left = max(1, width - (time.utf8.count + Self.kindWidth + 4))
        return beginning + DisplayWidth.cut(parts.joined(separator: "  "), to: left)
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
        }
    }
}
