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
        return place > 0 && table.isUse(place - 1, of: id) ? place - 1 : nil
    }

    private static let takeField: nghttp2_on_header_callback = {
        _, frame, name, nameCount, value, valueCount, _, context in
        let session = HTTP2Session.of(context)
        guard let frame, let slot = session.slot(frame.pointee.hd.stream_id) else { return 0 }
        session.table.takeField(
            slot, UnsafeBufferPointer(start: name, count: nameCount),
            UnsafeBufferPointer(start: value, count: valueCount))
        return 0
    }

    private static let takeBody: nghttp2_on_data_chunk_recv_callback = { _, _, id, bytes, count, context in
        let session = HTTP2Session.of(context)
        guard let slot = session.slot(id) else { return 0 }
        session.table.takeBody(slot, UnsafeBufferPointer(start: bytes, count: count))
        return 0
    }

    private static let takeFrame: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let frame else { return 0 }
        HTTP2Session.of(context).takeFrame(frame.pointee)
        return 0
    }

    private func takeFrame(_ frame: nghttp2_frame) {
        let head = frame.hd
        switch UInt32(head.type) {
        case NGHTTP2_SETTINGS.rawValue:
            if UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 { isReady = true }
        case NGHTTP2_GOAWAY.rawValue:
            let failure = HTTP2Failure(
                .lost, mayHaveArrived: false,
                "the server ends the connection (GOAWAY: \(Self.word(frame.goaway.error_code)))")
            ending = failure
            // nghttp2 closes the streams above the last one as refused.
            table.finish(where: { $0.phase == .waiting }) { _ in failure }
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            let isLast = UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
            guard isLast, let slot = slot(head.stream_id) else { return }
            // Answered before all was sent: the rest is of no interest.
            if table.takeLastFrame(slot) {
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
        let isAnswered = session.table.isAnswered(slot)
        session.table.finish(slot, isAnswered ? nil : HTTP2Session.failure(code))
        return 0
    }

    /// Why a stream has ended before its answer.
    private static func failure(_ code: UInt32) -> HTTP2Failure {
        let isRefused = code == NGHTTP2_REFUSED_STREAM.rawValue
        // Refused is what the server has not acted on (RFC 9113, section 8.7).
        return HTTP2Failure(.lost, mayHaveArrived: !isRefused, "the stream has ended without an answer: \(word(code))")
    }

    /// The name of an error of HTTP/2.
    private static func word(_ code: UInt32) -> String { String(cString: nghttp2_http2_strerror(code)) }

    static let readBody: nghttp2_data_source_read_callback = { _, id, buffer, limit, flags, source, context in
        guard let buffer, let flags, let source else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        let slot = Int(bitPattern: source.pointee.ptr) - 1
        let session = HTTP2Session.of(context)
        let (count, isLast) = session.table.readBody(slot, id, UnsafeMutableBufferPointer(start: buffer, count: limit))
        // Its request has ended, and the slot is another's.
        guard count >= 0 else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        if isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }
}
