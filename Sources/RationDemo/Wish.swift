import RationModel

/// A notification that a service wants shown; becomes one `schedule`.
struct Wish {
    enum Trigger {
        case at(Instant)
        /// Seconds from when it is decided.
        case after(Int)
        /// Seconds.
        case every(Int)
    }

    var id: String
    /// Left to the id's prefix where nil.
    var type: String?
    var title: String
    var body: String
    var category: String?
    var thread: String?
    /// A number for the app that shows it: one entry of `userInfo`.
    var reference: Int
    var trigger: Trigger
    var expires: Instant?
    /// Whether it is shown however late.
    var isDeliveredLate = false
}
