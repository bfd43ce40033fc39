internal import RationJSON
import RationModel

/// How the fields of background pushes, live activities and broadcasts are written.
extension ContentFields {
    /// Writes the canonical members behind those that every content may have; an alert's kind is left out.
    func writeKind(_ members: inout MemberWriter, to writer: inout JSONWriter) {
        members.text("targetContentId", targetContentId, to: &writer)
        members.value("attachments", attachments, to: &writer)
        guard knownKind != .alert else { return }
        members.text("kind", "\(knownKind.name)", to: &writer)
        members.text("channel", channel, to: &writer)
        guard let activity else { return }
        members.name("activity", to: &writer)
        var inner = MemberWriter()
        for name in ["event", "contentState", "attributesType", "attributes"] as [StaticString] {
            inner.value(name, Self.present(activity, name), to: &writer)
        }
        for name in ["staleDate", "dismissalDate"] as [StaticString] {
            guard let date = Self.present(activity, name)?.instant else { continue }
            inner.name(name, to: &writer)
            writer.instant(date)
        }
        inner.end(&writer)
    }

    /// Writes the `aps` of a live activity.
    func writeActivityAPS(at time: Instant, to writer: inout JSONWriter) {
        var aps = MemberWriter()
        // Ten digits until the year 2286: a payload that fits at one time fits at any.
        aps.integer("timestamp", max(1_000_000_000, Self.seconds(time)), to: &writer)
        guard let activity else { return aps.end(&writer) }
        aps.value("event", activity["event"], to: &writer)
        aps.value("content-state", activity["contentState"], to: &writer)
        aps.value("attributes-type", Self.present(activity, "attributesType"), to: &writer)
        aps.value("attributes", Self.present(activity, "attributes"), to: &writer)
        for (name, own) in [("stale-date", "staleDate"), ("dismissal-date", "dismissalDate")]
            as [(StaticString, StaticString)]
        {
            if let date = Self.present(activity, own)?.instant { aps.integer(name, Self.seconds(date), to: &writer) }
        }
        aps.value("relevance-score", relevanceScore, to: &writer)
        if hasAlert {
            aps.name("alert", to: &writer)
            var alert = MemberWriter()
            alert.text("title", title, to: &writer)
            alert.text("body", body, to: &writer)
            if let name = sound?.string ?? sound?["name"]?.string { alert.text("sound", name, to: &writer) }
            alert.end(&writer)
        }
        aps.end(&writer)
    }

    private static func present(_ object: JSONValue, _ name: StaticString) -> JSONValue? {
        object[name].flatMap { $0.isNull ? nil : $0 }
    }

    private static func seconds(_ instant: Instant) -> Int64 { instant.milliseconds / 1_000 }
}
