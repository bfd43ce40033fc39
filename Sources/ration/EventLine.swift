import RationCommandLine
import RationJSON
import RationModel

extension EventReader.Event {
    private static let kindWidth = 9

    /// The event in one line: time, kind, recipient, id, type and priority, fire date, why, and whether that was its end.
    /// - Parameter width: columns; what does not fit is cut behind the kind.
    func line(_ terminal: Terminal, width: Int = .max) -> String {
        var parts = [
            "\(text("app"))/\(text("device"))", text("id"), "\(type) p=\(data["priority"]?.integer ?? 0)",
            "fires \(text("fireDate"))",
        ]
        for name in ["cause", "reason"] as [StaticString] {
            if let why = data[name]?.text { parts.append(why) }
        }
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
