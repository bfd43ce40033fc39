internal import CNGHTTP2

/// What nghttp2 calls.
extension HTTP2Session {
    /// Once a process; nil without memory.
    nonisolated(unsafe) static let callbacks: OpaquePointer? = {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        nghttp2_session_callbacks_set_on_header_callback(callbacks, takeField)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, takeBody)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, takeFrame)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, takeEnd)
        return callbacks
    }()

    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTP2Session {
        guard let context else { preconditionFailure("nghttp2 calls back without a session") }
        return Unmanaged<HTTP2Session>.fromOpaque(context).takeUnretainedValue()
    }

    /// Which request a stream belongs to; nil: nobody waits for it any more.
    private func slot(_ id: Int32) -> Int? {
        let place = Int(bitPattern: nghttp2_session_get_stream_user_data(session, id))
        return place > 0 && table[place - 1].id == id ? place - 1 : nil
    }

    private static let takeField: nghttp2_on_header_callback = {
        _, frame, name, nameCount, value, valueCount, _, context in
        let session = HTTP2Session.of(context)
        guard let frame, let slot = session.slot(frame.pointee.hd.stream_id) else { return 0 }
        session.takeField(
            slot, UnsafeBufferPointer(start: name, count: nameCount),
            UnsafeBufferPointer(start: value, count: valueCount))
        return 0
    }

    private static let status = Array(":status".utf8)

    private func takeField(_ slot: Int, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        if name.first == UInt8(ascii: ":") {
            guard name.elementsEqual(Self.status) else { return }
            // Three digits: nghttp2 checks it. What came before was an interim answer.
            table[slot].status = value.reduce(0) { $0 * 10 + Int($1 & 15) }
            table[slot].headerBytes.removeAll(keepingCapacity: true)
            return
        }
        let count = name.count + value.count + 3
        guard table[slot].headerBytes.count + count <= HTTP2Answer.headerLimit else { return }
        table[slot].headerBytes.append(contentsOf: name)
        table[slot].headerBytes.append(UInt8(ascii: ":"))
        table[slot].headerBytes.append(UInt8(ascii: " "))
        table[slot].headerBytes.append(contentsOf: value)
        table[slot].headerBytes.append(0x0A)
    }

    private static let takeBody: nghttp2_on_data_chunk_recv_callback = { _, _, id, bytes, count, context in
        let session = HTTP2Session.of(context)
        guard let slot = session.slot(id) else { return 0 }
        let taken = min(count, HTTP2Answer.bodyLimit - session.table[slot].answerBody.count)
        session.table[slot].answerBody.append(contentsOf: UnsafeBufferPointer(start: bytes, count: taken))
        return 0
    }

    private static let takeFrame: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let frame else { return 0 }
        HTTP2Session.of(context).takeFrame(frame.pointee.hd)
        return 0
    }

    private func takeFrame(_ head: nghttp2_frame_hd) {
        switch UInt32(head.type) {
        case NGHTTP2_SETTINGS.rawValue:
            if UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 { isReady = true }
        case NGHTTP2_GOAWAY.rawValue:
            isEnding = true
            // nghttp2 closes the streams above the last one as refused.
            table.finish(where: { $0.phase == .waiting }) { _ in
                HTTP2Failure(.lost, mayHaveArrived: false, Self.endingMessage)
            }
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            let isLast = UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
            guard isLast, let slot = slot(head.stream_id) else { return }
            table[slot].isAnswered = true
            // Answered before all was sent: the rest is of no interest.
            if table[slot].sentBytes < table[slot].body.count {
                nghttp2_submit_rst_stream(
                    session, UInt8(NGHTTP2_FLAG_NONE.rawValue), head.stream_id, NGHTTP2_NO_ERROR.rawValue)
            }
        default: break
        }
    }

    private static let takeEnd: nghttp2_on_stream_close_callback = { _, id, code, context in
        let session = HTTP2Session.of(context)
        session.openCount -= 1
        guard let slot = session.slot(id) else { return 0 }
        let isAnswered = session.table[slot].isAnswered && session.table[slot].status > 0
        session.table.finish(slot, isAnswered ? nil : HTTP2Session.failure(code))
        return 0
    }

    /// Why a stream has ended before its answer.
    private static func failure(_ code: UInt32) -> HTTP2Failure {
        let isRefused = code == NGHTTP2_REFUSED_STREAM.rawValue
        let text = String(cString: nghttp2_http2_strerror(code))
        // Refused is what the server has not acted on (RFC 9113, section 8.7).
        return HTTP2Failure(.lost, mayHaveArrived: !isRefused, "the stream has ended without an answer: \(text)")
    }

    static let readBody: nghttp2_data_source_read_callback = { _, id, buffer, limit, flags, source, context in
        guard let buffer, let flags, let source else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        let slot = Int(bitPattern: source.pointee.ptr) - 1
        let session = HTTP2Session.of(context)
        // Its request has ended, and the slot is another's.
        guard session.table[slot].id == id else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        let (start, end) = (session.table[slot].sentBytes, session.table[slot].body.count)
        let count = min(limit, end - start)
        session.table[slot].body.withUnsafeBufferPointer { body in
            if let base = body.baseAddress { buffer.update(from: base + start, count: count) }
        }
        session.table[slot].sentBytes += count
        if start + count == end { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }
}
