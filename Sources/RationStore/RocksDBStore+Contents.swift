public import RationModel
internal import RationRocksDB
import Synchronization

/// Contents by their position.
extension RocksDBStore {
    public func content(at position: ContentPosition, count: Int) throws -> ArraySlice<UInt8> {
        var start = position.blockStart
        let offset = position.offsetInBlock
        var bytes = try block(at: start)
        // Of a batch's bytes a content may stand in several blocks.
        while offset + count > bytes.count {
            guard position.hour == nil, bytes.count % ContentPosition.batchBlockBytes == 0 else {
                throw missing(position, count)
            }
            start = start.nextBlockStart
            bytes += try block(at: start)
        }
        return bytes[offset..<offset + count]
    }

    private func block(at first: ContentPosition) throws(StoreError) -> [UInt8] {
        if let known = blocks.withLock({ $0[first] }), !known.isEmpty { return known }
        let family = first.hour == nil ? StoreFamily.batchContents : .hourContents
        guard let bytes = try sealed(family, first.key, { Array($0.body) }) else { throw missing(first, 0) }
        blocks.withLock { $0.add(bytes, at: first) }
        return bytes
    }

    private func missing(_ position: ContentPosition, _ count: Int) -> StoreError {
        let place =
            switch position.place {
            case .batch(let batch, let offset): "batch \(batch), byte \(offset)"
            case .hour(let hour, let block, let offset): "hour \(hour), block \(block), byte \(offset)"
            case .none: "nowhere"
            }
        return StoreError(
            .damaged, path: folder.database, "the content of \(count) bytes at \(place) is missing: its block is gone")
    }
}
