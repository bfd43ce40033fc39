/// A fast keyed hash of bytes: 8 bytes a step, each folded by a 64×64→128-bit product. For tables of names that are
/// never iterated (the seed keeps a stranger from choosing names that collide), and for telling apart the bodies of
/// requests (seed 0; the value is the same in every process).
public enum ByteHash {
    @inlinable
    public static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var state = fold(seed ^ UInt64(bytes.count) ^ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
        var position = 0
        while position + 8 <= bytes.count {
            state = fold(state ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self), 0xA076_1D64_78BD_642F)
            position += 8
        }
        if position < bytes.count {
            var tail: UInt64 = 0
            for index in position..<bytes.count { tail = tail << 8 | UInt64(bytes[index]) }
            state = fold(state ^ tail, 0xE703_7ED1_A0B4_28DB)
        }
        return state ^ state >> 32
    }

    /// - Parameter factor: odd, so that no bit of `state` is lost.
    @inlinable
    static func fold(_ state: UInt64, _ factor: UInt64) -> UInt64 {
        let product = state.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
