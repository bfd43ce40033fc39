internal import RationModel

/// The blocks that a commit's moves fill, and of what.
struct MovedBlocks {
    /// Bytes that stand together where they come from: a content, or as much of it as one block holds.
    struct Piece {
        /// The block that they stand in, and where in it.
        var source: ContentPosition
        var range: Range<Int>
        /// Where they begin.
        var position: ContentPosition { ContentPosition(rawValue: source.rawValue + UInt64(range.lowerBound)) }
        /// Which of `blocks` they go to, and where in that.
        fileprivate var block: Int
        fileprivate var offset: Int
    }

    private(set) var blocks: [(first: ContentPosition, bytes: [UInt8])] = []
    /// In the order of their sources, so that each of these is read once.
    private(set) var pieces: [Piece] = []

    /// - Parameter moves: to each block without holes.
    init(_ moves: [ContentMove]) {
        var places: [UInt64: Int] = [:]
        pieces.reserveCapacity(moves.count)
        for move in moves {
            let first = move.to.blockStart
            let place = places[first.rawValue] ?? blocks.count
            if place == blocks.count {
                blocks.append((first, []))
                places[first.rawValue] = place
            }
            precondition(blocks[place].bytes.count == move.to.offsetInBlock, "a hole before \(move.to)")
            addPieces(of: move, to: place)
            blocks[place].bytes += repeatElement(0, count: move.count)
        }
        pieces.sort { ($0.source.rawValue, $0.range.lowerBound) < ($1.source.rawValue, $1.range.lowerBound) }
    }

    private mutating func addPieces(of move: ContentMove, to block: Int) {
        var piece = Piece(source: move.from.blockStart, range: 0..<0, block: block, offset: move.to.offsetInBlock)
        var (start, left) = (move.from.offsetInBlock, move.count)
        while left > 0 {
            // All of a content stands in one block of an hour.
            let room = piece.source.hour == nil ? ContentPosition.batchBlockBytes - start : left
            piece.range = start..<start + min(left, room)
            pieces.append(piece)
            left -= piece.range.count
            piece.offset += piece.range.count
            (start, piece.source) = (0, piece.source.nextBlockStart)
        }
    }

    /// Fills in a piece.
    /// - Parameter bytes: all of it.
    mutating func fill(_ piece: Piece, with bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == piece.range.count, "\(bytes.count) bytes for \(piece.range)")
        blocks[piece.block].bytes.withUnsafeMutableBytes { block in
            UnsafeMutableRawBufferPointer(rebasing: block[piece.offset...]).copyMemory(from: bytes)
        }
    }
}
