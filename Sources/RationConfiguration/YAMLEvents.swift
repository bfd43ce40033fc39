internal import CYAML

/// What libyaml tells of a text, one thing after another. Owns the C parser; the bytes belong to the caller and outlive
/// it. Only this file names libyaml's functions.
struct YAMLEvents: ~Copyable {
    struct Event {
        enum Kind {
            case streamStart, streamEnd, documentStart, documentEnd, sequenceEnd, mappingEnd
            case alias
            case sequenceStart
            case mappingStart
            case scalar(text: String, isPlain: Bool)
        }

        var kind: Kind
        var place: YAMLPlace
        /// The name of the anchor that it sets, or of the one that an alias refers to.
        var anchor: String?
        /// The tag as resolved, `tag:yaml.org,2002:str`; nil without one.
        var tag: String?
    }

    /// Why the text cannot be read further.
    struct Failure: Error {
        var message: String
        /// nil: at the byte `offset`.
        var place: YAMLPlace?
        var offset = 0
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// - Throws: `Failure` when there is no memory.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(Failure) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw Failure(message: "there is no memory for it", place: YAMLPlace(line: 1, column: 1))
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        self.parser = parser
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    mutating func next() throws(Failure) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        return Self.event(event)
    }

    private var failure: Failure {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
        guard parser.pointee.error != YAML_READER_ERROR else {
            return Failure(message: problem, place: nil, offset: parser.pointee.problem_offset)
        }
        let context = parser.pointee.context.map { " " + String(cString: $0) } ?? ""
        return Failure(message: problem + context, place: Self.place(parser.pointee.problem_mark))
    }

    private static func place(_ mark: yaml_mark_t) -> YAMLPlace {
        YAMLPlace(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private static func event(_ event: yaml_event_t) -> Event {
        var result = Event(kind: .streamStart, place: place(event.start_mark))
        switch event.type {
        case YAML_STREAM_END_EVENT: result.kind = .streamEnd
        case YAML_DOCUMENT_START_EVENT: result.kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: result.kind = .documentEnd
        case YAML_SEQUENCE_END_EVENT: result.kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: result.kind = .mappingEnd
        case YAML_ALIAS_EVENT:
            result.kind = .alias
            result.anchor = text(event.data.alias.anchor)
        case YAML_SEQUENCE_START_EVENT:
            result.kind = .sequenceStart
            result.anchor = text(event.data.sequence_start.anchor)
            result.tag = text(event.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            result.kind = .mappingStart
            result.anchor = text(event.data.mapping_start.anchor)
            result.tag = text(event.data.mapping_start.tag)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            result.kind = .scalar(
                text: String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            result.anchor = text(scalar.anchor)
            result.tag = text(scalar.tag)
        default: break
        }
        return result
    }

    private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        characters.map { String(cString: $0) }
    }
}
