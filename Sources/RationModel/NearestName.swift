/// Finds what a misspelt name was meant to be.
public enum NearestName {
    /// The name nearest to a misspelt one.
    /// - Returns: nil when none is as near as a third of the longer one's length; among equals the first.
    /// - Complexity: O(names · 64²) at most.
    public static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        var best: (name: String, distance: Int)?
        let nameLength = name.unicodeScalars.count
        for candidate in names {
            let candidateLength = candidate.unicodeScalars.count
            let length = max(nameLength, candidateLength)
            // Each scalar more or less is a step.
            guard min(abs(nameLength - candidateLength), longest) * 3 <= length else { continue }
            let distance = distance(name, candidate)
            guard distance * 3 <= length, distance < best?.distance ?? Int.max else { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// What names have in common that differ in their capitals, in `-`, `_`, `.` and spaces only, or in how Unicode
    /// writes the same text: such texts are equal as `String`s.
    public static func folded(_ name: String) -> String {
        var folded = ""
        for scalar in name.lowercased().unicodeScalars where !["-", "_", ".", " "].contains(scalar) {
            folded.unicodeScalars.append(scalar)
        }
        return folded
    }

    /// How many insertions, removals, replacements and swaps of neighbours lead from one text to the other (optimal
    /// string alignment). O(n·m).
    public static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars.prefix(longest))
        let right = Array(right.unicodeScalars.prefix(longest))
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, beforePrevious[column - 1] + 1)
                }
                current.append(least)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }

    /// Scalars that are compared: what differs behind them is not looked at.
    private static let longest = 64
}
