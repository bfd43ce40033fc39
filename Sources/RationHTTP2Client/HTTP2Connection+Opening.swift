/// How a connection comes about: the name's addresses, one after another, then TLS.
extension HTTP2Connection {
    func open(_ now: Int64) throws(HTTP2SetupError) {
        connectDeadline = now + Int64(options.connectMilliseconds)
        attemptDeadline = connectDeadline
        let lookup = try NameLookup(host: authority.host, port: authority.port)
        readiness.watch(lookup.descriptor)
        phase = .lookingUp(lookup)
    }

    /// Goes on as far as nothing has to be waited for.
    func goOn() {
        switch phase {
        case .lookingUp(let lookup): take(lookup)
        case .connecting(let socket): check(socket)
        case .securing(let socket, let stream): secure(socket, stream)
        case .idle, .open, .ended: break
        }
    }

    private func take(_ lookup: NameLookup) {
        switch lookup.result {
        case nil: break
        case .failure(let failure): end(failure.message)
        case .success(let found):
            addresses = found
            connect(failure: "the name '\(authority.host)' has no address")
        }
    }

    /// Begins with the next address.
    /// - Parameter failure: why the one before it came to nothing.
    func connect(failure: String) {
        readiness.forget()
        guard !addresses.isEmpty else { return end(failure) }
        let now = Self.now
        attemptDeadline = now + max(0, connectDeadline - now) / Int64(addresses.count)
        do throws(ConnectFailure) {
            let socket = try ClientSocket(addresses.removeFirst())
            phase = .connecting(socket)
            readiness.watch(socket.descriptor, toWrite: true, toRead: false)
            check(socket)
        } catch {
            connect(failure: error.message)
        }
    }

    private func check(_ socket: ClientSocket) {
        do throws(ConnectFailure) {
            guard try socket.isConnected() else { return }
        } catch {
            return connect(failure: error.message)
        }
        attemptDeadline = connectDeadline
        do throws(HTTP2SetupError) {
            let stream = try TLSStream(context, socket, host: authority.host)
            phase = .securing(socket, stream)
            secure(socket, stream)
        } catch {
            end(error.message)
        }
    }

    private func secure(_ socket: ClientSocket, _ stream: TLSStream) {
        switch stream.shakeHands() {
        case .done: (phase, lastReceived) = (.open(socket, stream), Self.now)
        case .wantsToRead: readiness.watch(socket.descriptor)
        case .wantsToWrite: readiness.watch(socket.descriptor, toWrite: true)
        case .closed: end("the server has closed the connection during the handshake of TLS")
        case .failed(let message): end(message)
        }
    }
}
