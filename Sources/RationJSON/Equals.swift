public import Glibc

/// Whether these bytes are exactly the UTF-8 of `text`: how keys and words of the contract are told apart.
@inlinable public func equals(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count == count else { return false }
    // Both sides have `count` bytes; a buffer without an address has none.
    guard let start = bytes.baseAddress else { return true }
    return memcmp(start, text.utf8Start, count) == 0
}
