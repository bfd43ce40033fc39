internal import COpenSSL
internal import Glibc

/// What the TLS of a connection goes by: whom to trust, and which protocol to speak.
final class TLSContext {
    fileprivate let context: OpaquePointer
    /// How bytes go over a socket. Once a process; nil without memory.
    fileprivate nonisolated(unsafe) static let method = ration_tls_make_method()

    /// - Parameter authorities: a file with the certificates that are trusted; nil: the system's.
    /// - Throws: ``HTTP2SetupError`` for a file that holds none.
    init(authorities: String?) throws(HTTP2SetupError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw .tls("OpenSSL makes no context") }
        self.context = context
        ration_tls_set_modes(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        guard ration_tls_set_oldest(context, TLS1_2_VERSION) == 1 else { throw .tls("OpenSSL has no TLS 1.2") }
        if let authorities {
            guard SSL_CTX_load_verify_locations(context, authorities, nil) == 1 else {
                throw .tls("cannot read certificates from \(authorities)")
            }
        } else {
            guard SSL_CTX_set_default_verify_paths(context) == 1 else { throw .tls("the system has no certificates") }
        }
        let protocols = [UInt8(2)] + Array("h2".utf8)
        // The other way round than OpenSSL's other functions: 0 is success.
        guard SSL_CTX_set_alpn_protos(context, protocols, UInt32(protocols.count)) == 0 else {
            throw .tls("OpenSSL takes no protocol")
        }
    }

    deinit {
        SSL_CTX_free(context)
    }
}

/// TLS over a socket, as a client: the server's certificate and name are verified, and it has to speak HTTP/2.
final class TLSStream {
    /// What a step has come to.
    enum Step {
        /// So many bytes; 0: the handshake.
        case done(Int)
        case wantsToRead
        case wantsToWrite
        /// The other end has closed it.
        case closed
        case failed(String)
    }

    private let stream: OpaquePointer
    private let host: String
    /// Outlives the stream, and so does the socket.
    private let context: TLSContext
    private let socket: ClientSocket

    /// - Parameter host: a name or an address that the certificate has to be for.
    /// - Throws: ``HTTP2SetupError``.
    init(_ context: TLSContext, _ socket: ClientSocket, host: String) throws(HTTP2SetupError) {
        guard let method = TLSContext.method, let stream = SSL_new(context.context) else {
            throw .tls("OpenSSL makes no connection")
        }
        (self.stream, self.context, self.socket, self.host) = (stream, context, socket, host)
        // An address is no name to ask for, and stands elsewhere in a certificate.
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(stream), host) == 1
        ERR_clear_error()
        SSL_set_hostflags(stream, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let isNamed = isAddress || SSL_set1_host(stream, host) == 1 && ration_tls_set_name(stream, host) == 1
        guard isNamed, ration_tls_use_socket(stream, method, socket.descriptor) == 1 else {
            throw .tls("OpenSSL takes no host '\(host)'")
        }
    }

    deinit {
        SSL_free(stream)
    }

    /// Goes on with the handshake.
    func shakeHands() -> Step {
        ERR_clear_error()
        let code = SSL_connect(stream)
        if code == 1 { return checkProtocol() }
        let verified = SSL_get_verify_result(stream)
        guard verified == X509_V_OK else {
            let text = X509_verify_cert_error_string(verified).map { String(cString: $0) } ?? "error \(verified)"
            ERR_clear_error()
            return .failed("the certificate for '\(host)' is not trusted: \(text)")
        }
        return step(code, "TLS fails")
    }

    private func checkProtocol() -> Step {
        var (name, count): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        SSL_get0_alpn_selected(stream, &name, &count)
        let chosen = String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
        if chosen == "h2" { return .done(0) }
        return .failed("the server speaks no HTTP/2: it has chosen \(chosen.isEmpty ? "no protocol" : "'\(chosen)'")")
    }

    /// - Returns: `done` with at least one byte, or why there is none.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        ERR_clear_error()
        return step(SSL_read(stream, buffer.baseAddress, Int32(clamping: buffer.count)), "reading fails")
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Step {
        ERR_clear_error()
        return step(SSL_write(stream, bytes.baseAddress, Int32(clamping: bytes.count)), "writing fails")
    }

    private func step(_ code: Int32, _ action: String) -> Step {
        if code > 0 { return .done(Int(code)) }
        let system = errno
        switch SSL_get_error(stream, code) {
        case SSL_ERROR_WANT_READ: return .wantsToRead
        case SSL_ERROR_WANT_WRITE: return .wantsToWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL: return .failed("\(action): \(String(cString: strerror(system)))")
        default:
            return .failed("\(action): \(HTTP2SetupError.reason() ?? "OpenSSL does not say why")")
        }
    }

    /// Tells the other end that nothing more comes; it is not waited for.
    func sayGoodbye() {
        ERR_clear_error()
        SSL_shutdown(stream)
        ERR_clear_error()
    }
}

extension HTTP2SetupError {
    fileprivate static func tls(_ message: String) -> HTTP2SetupError {
        HTTP2SetupError(message: reason().map { "\(message): \($0)" } ?? message)
    }

    /// What OpenSSL has noted, which is forgotten then.
    fileprivate static func reason() -> String? {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
        return String(cString: text)
    }
}
