import RationModel
import RationWire

/// A `publish` on its way through a batch.
struct PublishRequest: Sendable {
    var address: ReplyAddress
    /// As it was written.
    var numberFrame: [UInt8]
    /// Empty for a publisher without a name, whose requests are not numbered.
    var publisher: PublisherName
    var number: UInt64
    var bodyHash: UInt64
    /// Its intents among the batch's.
    var intents: Range<Int>
    /// Why it is refused as a whole; it uses up its number all the same.
    var refusal: RequestFault?
}
