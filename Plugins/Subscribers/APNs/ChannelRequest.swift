public import RationHTTP2Client

/// Requests about channels of broadcasts (Apple, "Sending channel management requests to APNs"), without the provider token.
public enum ChannelRequest {
    /// Makes a channel; the answer's field `apns-channel-id` names it.
    /// - Parameter storesMessage: whether the last message is kept for devices that are offline.
    public static func create(app: String, storesMessage: Bool) -> HTTP2Request {
        let body = #"{"message-storage-policy":\#(storesMessage ? 1 : 0),"push-type":"LiveActivity"}"#
        return HTTP2Request(path: "/1/apps/\(app)/channels", body: Array(body.utf8))
    }

    public static func read(app: String, channel: String) -> HTTP2Request {
        one(.get, app, channel)
    }

    public static func delete(app: String, channel: String) -> HTTP2Request {
        one(.delete, app, channel)
    }

    public static func list(app: String) -> HTTP2Request {
        var request = HTTP2Request(path: "/1/apps/\(app)/all-channels")
        request.method = .get
        return request
    }

    private static func one(_ method: HTTP2Request.Method, _ app: String, _ channel: String) -> HTTP2Request {
        var request = HTTP2Request(path: "/1/apps/\(app)/channels")
        request.method = method
        request.fields.add("apns-channel-id", channel)
        return request
    }
}
