import RationModel
import RationStore
import RationWire

extension Hello {
    /// The answer to `hello`, on either socket.
    static func answer(
        to request: IncomingRequest, reader: inout QueryReader, store: any Store, server: String
    ) -> Answer {
        do throws(RequestFault) {
            let publisher = try reader.hello(request.body)
            let hello = Hello(
                log: store.log, last: store.lastNumber(of: PublisherName(publisher)), window: Limits.publisherWindow,
                server: server)
            return Answer(
                address: request.address, name: Array(RequestName.hello.frame.utf8), number: request.numberFrame,
                bodies: [hello.body])
        } catch {
            return Answer(error, to: request.address, number: request.numberFrame)
        }
    }
}
