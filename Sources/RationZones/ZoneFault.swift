/// What is wrong with the bytes of a zone's file.
struct ZoneFault: Error, Hashable {
    /// The field, with the limit and the value that it has.
    let reason: String

    /// Where the field begins, in bytes from the start of the file.
    let offset: Int
}
