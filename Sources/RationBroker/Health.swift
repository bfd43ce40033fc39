import RationHTTP

/// What the broker tells over HTTP: `/healthz`, `/readyz`, `/metrics`.
enum Health {
    /// How long a turn of the deciding thread and the commits under way may take before the broker counts as ill.
    static let turnMilliseconds = 2000

    static func answer(_ request: HTTPRequest, _ parts: BrokerParts) -> HTTPResponse {
        switch request.path {
        case "/healthz":
            parts.decideMailbox.awaitTurn(milliseconds: turnMilliseconds)
                ? HTTPResponse(text: parts.board.damage.map { "degraded: \($0)\n" } ?? "ok\n")
                : HTTPResponse(
                    status: 503, text: "the deciding and the committing thread made no turn in \(turnMilliseconds) ms\n"
                )
        case "/readyz":
            parts.board.isStopping ? HTTPResponse(status: 503, text: "stopping\n") : HTTPResponse(text: "ready\n")
        case "/metrics":
            HTTPResponse(text: parts.board.metrics)
        default: .notFound
        }
    }
}
