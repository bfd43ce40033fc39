import Glibc

/// What an output is connected to: whether a person reads it, how wide it is, whether it takes colours.
public struct Terminal: Sendable {
    public let isInteractive: Bool
    /// Off anywhere but on a terminal, with `NO_COLOR` set (no-color.org) and with `TERM=dumb`.
    public let hasColour: Bool
    private let descriptor: Int32

    public init(descriptor: Int32) {
        self.init(
            descriptor: descriptor, isInteractive: isatty(descriptor) == 1, noColour: Self.variable("NO_COLOR"),
            kind: Self.variable("TERM"))
    }

    init(descriptor: Int32, isInteractive: Bool, noColour: String, kind: String) {
        self.descriptor = descriptor
        self.isInteractive = isInteractive
        hasColour = isInteractive && noColour.isEmpty && kind != "dumb"
    }

    /// Columns now; 100 when it is no terminal.
    public var columns: Int {
        var size = winsize()
        guard isInteractive, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    /// The sixteen-colour palette, so that a person's own theme decides.
    public enum Style: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case magenta = "35"
        case cyan = "36"
    }

    /// The text in a style where colours are taken, else the text.
    public func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
