public import RationModel
import Synchronization

/// Contents by their position.
extension RocksDBStore {
    public func content(at position: ContentPosition, count: Int) throws -> ArraySlice<UInt8> {
        try stored.content(at: position, count: count) { (first) throws(StoreError) in
            if let known = blocks.withLock({ $0[first] }), !known.isEmpty { return known }
            let bytes = try stored.block(at: first)
            blocks.withLock { $0.add(bytes, at: first) }
            return bytes
        }
    }
}
