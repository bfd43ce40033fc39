import RationModel
public import RationPluginKit

extension DepletionScheduler {
    public static let tables = [supplies, measurements]

    static let supplies = FactTable(
        "supplies", "What a user has that runs out: one row of a supply",
        [
            FactColumn("supply", .text, "What tells it apart: the same from run to run"),
            FactColumn("name", .text, "For `{name}`; null: the supply's", isOptional: true),
            FactColumn(
                "quantity", .number, "How much there was at `measuredAt`, at least 0; null: by the measurements",
                isOptional: true),
            FactColumn(
                "usePerDay", .number, "How much a day takes, at least 0; null: estimated from the measurements",
                isOptional: true),
            FactColumn("measuredAt", .instant, "When `quantity` was so; null with it", isOptional: true),
            FactColumn("timeZone", .text, "The user's; null: the setting's", isOptional: true),
        ])

    static let measurements = FactTable(
        "measurements", "How much there was of supplies: of each the latest 64 count, `quantity` among them",
        [
            FactColumn("supply", .text, "The supply"),
            FactColumn("quantity", .number, "How much there was, at least 0"),
            FactColumn("measuredAt", .instant, "When"),
        ],
        isOptional: true)

    /// The measurement that a supply's row holds.
    static func own(_ row: FactRow) throws(FactFault) -> Measurement? {
        guard let quantity = row.optionalNumber(2) else {
            guard row.isNull(4) else {
                throw supplies.fault(row, 2, "expected a number beside 'measuredAt', found null")
            }
            return nil
        }
        guard quantity >= 0, quantity.isFinite else {
            throw supplies.fault(row, 2, "expected a number of at least 0, found \(quantity)")
        }
        guard !row.isNull(4) else { throw supplies.fault(row, 4, "expected an instant beside 'quantity', found null") }
        return Measurement(instant: try supplies.instant(row, 4), quantity: quantity)
    }

    static func usePerDay(_ row: FactRow) throws(FactFault) -> Double? {
        guard let use = row.optionalNumber(3) else { return nil }
        guard use >= 0, use.isFinite else {
            throw supplies.fault(row, 3, "expected a number of at least 0, found \(use)")
        }
        return use
    }
}
