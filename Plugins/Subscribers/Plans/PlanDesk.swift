internal import RationHTTP
internal import RationModel
internal import RationSQLite
internal import RationWire

/// Answers phones: `GET /v1/plans/APP/DEVICE?since=REVISION`, each with its device's token.
///
/// The server calls it from its one thread, where it has a connection of its own to the file.
final class PlanDesk: @unchecked Sendable {
    // Unchecked: only the server's one thread calls `answer`, and nothing else is changed after the making.
    private let secret: TokenSecret
    private let data: String
    private let requests: PhoneRequests
    private let meter: PlansMeter
    private let clock: @Sendable () -> Instant
    private var statements: (database: SQLiteDatabase, plans: PlanStatements)?

    /// - Parameter data: the subscriber's file.
    init(
        _ secret: TokenSecret, data: String, requests: PhoneRequests, meter: PlansMeter,
        clock: @escaping @Sendable () -> Instant
    ) {
        (self.secret, self.data, self.requests, self.meter, self.clock) = (secret, data, requests, meter, clock)
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        var response = response(to: request)
        // Each answer is for one device, and true for a moment.
        response.headers["Cache-Control"] = "no-store"
        let status = response.status
        meter.update { $0.requests[status, default: 0] += 1 }
        return response
    }

    private func response(to request: HTTPRequest) -> HTTPResponse {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "v1", parts[2] == "plans" else { return .notFound }
        let recipient = DevicesRequest.Recipient(app: String(parts[3]), device: String(parts[4]))
        guard secret.isAuthorized(request.authorization, app: recipient.app, device: recipient.device) else {
            return HTTPResponse(
                status: 401, contentType: "text/plain; charset=utf-8",
                body: Array("expected this device's token: Authorization: Bearer TOKEN\n".utf8),
                headers: ["WWW-Authenticate": #"Bearer realm="ration plans""#])
        }
        var since: PlanRevision?
        if let text = request.query["since"], !text.isEmpty {
            guard let revision = PlanRevision(text) else {
                return HTTPResponse(
                    status: 400, text: "since: expected a 'revision' that an answer has given, found something else\n")
            }
            since = revision
        }
        return answer(recipient, since, isWhole: request.method == "GET")
    }

    /// - Parameter isWhole: whether the phone gets the body, too.
    private func answer(
        _ recipient: DevicesRequest.Recipient, _ since: PlanRevision?, isWhole: Bool
    ) -> HTTPResponse {
        do {
            let stored = try stored(recipient)
            requests.note(
                recipient,
                PhoneRequests.Asked(
                    has: since, told: isWhole ? stored?.plan.current : nil,
                    isEmpty: !(stored?.plan.hasNotifications ?? false)))
            guard let difference = stored?.plan.difference(since: since, now: clock()) else { return .notFound }
            guard !difference.isEmpty || since != difference.revision else {
                return HTTPResponse(status: 204, contentType: "", body: [])
            }
            return HTTPResponse(contentType: "application/json", body: difference.body)
        } catch {
            statements = nil
            return HTTPResponse(
                status: 503, contentType: "text/plain; charset=utf-8", body: Array("plans cannot be read now\n".utf8),
                headers: ["Retry-After": "5"])
        }
    }

    private func stored(_ recipient: DevicesRequest.Recipient) throws -> StoredPlan? {
        if statements == nil {
            let database = try SQLiteDatabase(file: data, .reading)
            statements = (database, try PlanStatements(database))
        }
        guard let statements else { return nil }
        return try statements.database.reading {
            try statements.plans.plan(app: recipient.app, device: recipient.device)
        }
    }
}
