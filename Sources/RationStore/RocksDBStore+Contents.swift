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

    /// Blocks that are read at once: their values are in memory together.
    private static let blocksAtOnce = 256

    /// The blocks that a commit's moves fill. What they come from is read once and not kept, since a content moves only once
    /// from where its batch has left it.
    func movedBlocks(_ commit: borrowing Commit) throws(StoreError) -> MovedBlocks {
        var moved = MovedBlocks(commit.moves)
        var (ofBatches, ofHours): ([MovedBlocks.Piece], [MovedBlocks.Piece]) = ([], [])
        for piece in moved.pieces {
            switch piece.position.place {
            case .batch(commit.batch, let start):
                commit.contents.withUnsafeBytes {
                    moved.fill(piece, with: UnsafeRawBufferPointer(rebasing: $0[start..<start + piece.range.count]))
                }
            case .batch: ofBatches.append(piece)
            case .hour, .none: ofHours.append(piece)
            }
        }
        for (family, pieces) in [(StoreFamily.batchContents, ofBatches), (.hourContents, ofHours)] {
            var left = pieces[...]
            while !left.isEmpty { try fill(&moved, with: &left, family) }
        }
        return moved
    }

    /// Fills in as many pieces as one read brings.
    private func fill(
        _ moved: inout MovedBlocks, with pieces: inout ArraySlice<MovedBlocks.Piece>, _ family: StoreFamily
    ) throws(StoreError) {
        var sources: [ContentPosition] = []
        let end = pieces.firstIndex { piece in
            guard piece.source != sources.last else { return false }
            guard sources.count < Self.blocksAtOnce else { return true }
            sources.append(piece.source)
            return false
        }
        var filling = pieces[..<(end ?? pieces.endIndex)]
        pieces = pieces[filling.endIndex...]
        try stored.blocks(at: sources, in: family) { (source, body) throws(StoreError) in
            while let piece = filling.first, piece.source == source {
                guard piece.range.upperBound <= body.count else { throw stored.missing(piece.position) }
                moved.fill(piece, with: UnsafeRawBufferPointer(rebasing: body[piece.range]))
                filling.removeFirst()
            }
        }
    }
}
