/// A fast keyed hash of bytes: 8 bytes a step, each folded by a 64×64→128-bit product. For tables of names that are
/// never iterated (the seed keeps a stranger from choosing names that collide), and for telling apart the bodies of
/// requests (seed 0; the value is the same in every process).
public enum ByteHash {
    @inlinable
    public static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var state = fold(seed ^ UInt64(bytes.count) ^ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
        var position = 0
        if bytes.count >= 64 { position = foldLanes(bytes, into: &state) }
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

    /// Folds as many whole 32 bytes as there are, in four lanes that do not wait for each other.
    /// - Returns: how many bytes that were.
    @inlinable
    static func foldLanes(_ bytes: UnsafeRawBufferPointer, into state: inout UInt64) -> Int {
        var (first, second, third, fourth) = (state, ~state, state << 1 | 1, state >> 1)
        var position = 0
        func word(_ offset: Int) -> UInt64 {
            bytes.loadUnaligned(fromByteOffset: position + offset, as: UInt64.self)
        }
        while position + 32 <= bytes.count {
            first = fold(first ^ word(0), 0xA076_1D64_78BD_642F)
            second = fold(second ^ word(8), 0xE703_7ED1_A0B4_28DB)
            third = fold(third ^ word(16), 0x8EBC_6AF0_9C88_C6E3)
            fourth = fold(fourth ^ word(24), 0x5899_65CC_7537_4CC3)
            position += 32
        }
        state = fold(first ^ fold(second, 0x1D8E_4E27_C47D_124F), 0xEB44_ACCA_B455_D165)
        state = fold(state ^ third, 0xA076_1D64_78BD_642F)
        state = fold(state ^ fourth, 0xE703_7ED1_A0B4_28DB)
        return position
    }

    /// - Parameter factor: odd, so that no bit of `state` is lost.
    @inlinable
    static func fold(_ state: UInt64, _ factor: UInt64) -> UInt64 {
        let product = state.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
