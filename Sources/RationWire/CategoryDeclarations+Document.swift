internal import RationJSON
public import RationModel

extension CategoryDeclarations {
    /// The declarations as a JSON document: what a file of them says, with what is absent left out. Equal declarations have
    /// equal documents, and reading one gives the declarations again.
    public var document: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        var members = MemberWriter()
        for app in apps {
            var name = app.app
            name.withUTF8 { members.name(UnsafeRawBufferPointer($0), to: &writer) }
            writer.byte(UInt8(ascii: "["))
            for (index, category) in app.categories.enumerated() {
                if index > 0 { writer.byte(UInt8(ascii: ",")) }
                category.write(to: &writer)
            }
            writer.byte(UInt8(ascii: "]"))
        }
        members.end(&writer)
        return writer.bytes
    }
}

extension NotificationCategory {
    fileprivate func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        members.text("identifier", identifier, to: &writer)
        if !actions.isEmpty { members.list("actions", actions, to: &writer) { $0.write(to: &$1) } }
        if !intents.isEmpty { members.list("intents", intents, to: &writer) { $1.string($0) } }
        for (name, option) in CategoryOptions.all where options.contains(option) { members.truth(name, to: &writer) }
        if let text = hiddenPreviewsBodyPlaceholder {
            members.text("hiddenPreviewsBodyPlaceholder", text, to: &writer)
        }
        if let summaryFormat { members.text("summaryFormat", summaryFormat, to: &writer) }
        members.end(&writer)
    }
}

extension NotificationAction {
    fileprivate func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        members.text("identifier", identifier, to: &writer)
        members.text("title", title, to: &writer)
        for (name, option) in ActionOptions.all where options.contains(option) { members.truth(name, to: &writer) }
        if let icon {
            members.name("icon", to: &writer)
            var iconMembers = MemberWriter()
            switch icon {
            case .system(let name): iconMembers.text("system", name, to: &writer)
            case .template(let name): iconMembers.text("template", name, to: &writer)
            }
            iconMembers.end(&writer)
        }
        if let textInput {
            members.name("textInput", to: &writer)
            var inputMembers = MemberWriter()
            inputMembers.text("buttonTitle", textInput.buttonTitle, to: &writer)
            inputMembers.text("placeholder", textInput.placeholder, to: &writer)
            inputMembers.end(&writer)
        }
        members.end(&writer)
    }
}

extension MemberWriter {
    /// A member that is set.
    fileprivate mutating func truth(_ name: String, to writer: inout JSONWriter) {
        var name = name
        name.withUTF8 { self.name(UnsafeRawBufferPointer($0), to: &writer) }
        writer.bool(true)
    }
}
