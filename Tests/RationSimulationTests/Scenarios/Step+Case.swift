import Testing

@testable import PlannerModel

extension Step {
    /// Reads a step of a worked case.
    init(_ value: Value) throws {
        self.init(
            now: try #require(value["now"]?.date), intents: value["intents"]?.elements ?? [],
            isDown: value["down"]?.bool ?? false)
    }
}
