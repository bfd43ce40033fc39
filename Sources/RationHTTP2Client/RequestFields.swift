internal import CNGHTTP2

/// The header of a request as nghttp2 takes it: what is the same in all requests of a connection lies in memory of its own.
struct RequestFields: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let methods: [HTTP2Request.Method: nghttp2_nv]
    private var list: [nghttp2_nv]
    private let commonCount: Int
    private static let pathPlace = 1
    /// Whether the server was told the names of all fields once: what is not indexed needs its name no more then.
    private var hasNames = false

    init(authority: String) {
        let common = [
            (":method", "POST"), (":path", ""), (":scheme", "https"), (":authority", authority),
            ("content-type", "application/json"), ("user-agent", "ration"), ("", "GET"), ("", "DELETE"),
        ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
        let size = common.reduce(0) { $0 + $1.0.count + $1.1.count }
        memory = .allocate(byteCount: size, alignment: 1)
        var end = memory
        func place(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8> {
            let start = end.bindMemory(to: UInt8.self, capacity: bytes.count)
            start.update(from: bytes, count: bytes.count)
            end += bytes.count
            return start
        }
        let kept = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
        list = common.map { name, value in
            nghttp2_nv(name: place(name), value: place(value), namelen: name.count, valuelen: value.count, flags: kept)
        }
        var others = list.suffix(2).map { $0 }
        list.removeLast(2)
        for other in others.indices { (others[other].name, others[other].namelen) = (list[0].name, list[0].namelen) }
        methods = [.post: list[0], .get: others[0], .delete: others[1]]
        // The path's bytes are the request's.
        list[Self.pathPlace].flags = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
        commonCount = list.count
    }

    deinit {
        memory.deallocate()
    }

    /// Hands over the fields of a request; they are valid within `body` only.
    mutating func with<Value>(_ request: HTTP2Request, _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Value) -> Value {
        list.removeLast(list.count - commonCount)
        if let method = methods[request.method] { list[0] = method }
        var path = request.path
        return path.withUTF8 { path in
            list[Self.pathPlace].value = UnsafeMutablePointer(mutating: path.baseAddress)
            list[Self.pathPlace].valuelen = path.count
            return request.fields.bytes.withUnsafeBufferPointer { bytes in
                if let base = bytes.baseAddress { append(request.fields.places, UnsafeMutablePointer(mutating: base)) }
                hasNames = true
                return list.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
            }
        }
    }

    private mutating func append(_ places: [HTTP2Fields.Place], _ base: UnsafeMutablePointer<UInt8>) {
        for place in places {
            let name = base + Int(place.start)
            let flag = place.isShared || !hasNames ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX
            list.append(
                nghttp2_nv(
                    name: name, value: name + Int(place.nameCount), namelen: Int(place.nameCount),
                    valuelen: Int(place.valueCount), flags: UInt8(flag.rawValue)))
        }
    }
}
