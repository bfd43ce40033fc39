/// Sentences of the contract that can be read in two ways, and the reading in force.
enum ModelReadings {
    /// "A schedule whose id would fire in this batch … an `at` with the same T only puts its content in place": also one
    /// that waits for a slot, which then keeps its requested date and its time; else it is replaced and starts afresh.
    static let waitingOnesAreEditedInPlace = false

    /// "What … ends as it was, makes no event": A, B, A of one that waits with its time come is told as replaced where its
    /// requested date or its fire date has become another one; else only what the service said counts.
    static let datesArePartOfWhatItWas = false

    /// "Remembers the last 256 for 7 days": the instant exactly 7 days after is the last; else the first forgotten one.
    static let theSeventhDayEndsIncluded = false

    /// "Only when its `grace` or `expires` ends": also the `expires` of a repeating one, which ends nothing.
    static let expiryWakesRepeatingOnes = true
}
