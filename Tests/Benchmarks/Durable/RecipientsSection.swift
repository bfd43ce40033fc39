extension DurableBenchmark {
    /// The cost of an intent with few recipients and with many: runs in pairs, so that what disturbs the machine disturbs both.
    func measureRecipients(_ section: inout FigureReport.Section) throws {
        let many = try filledBroker()
        let few = try filledBroker(recipients: settings.few)
        var (clock, processor): ([Double], [Double]) = ([], [])
        var (fewRates, manyRates): ([Double], [Double]) = ([], [])
        for _ in 0..<settings.runs {
            let small = try cost(of: few)
            let large = try cost(of: many)
            clock.append(large.seconds / small.seconds)
            processor.append(large.processor / small.processor)
            fewRates.append(Double(settings.requests * DurableSettings.pack) / small.seconds)
            manyRates.append(Double(settings.requests * DurableSettings.pack) / large.seconds)
        }
        section.figures += [
            Figure(
                name: "fewRecipients", text: "\(settings.few) recipients", value: fewRates.median, unit: "intents/s"),
            Figure(
                name: "manyRecipients", text: "\(settings.recipients) recipients", value: manyRates.median,
                unit: "intents/s"),
            Figure(
                name: "costOfMany", text: "cost of an intent with many, by that with few", value: clock.median,
                unit: "", digits: 3, aim: .atMost(1.33)),
            Figure(
                name: "processorOfMany", text: "the same of the broker's processor time", value: processor.median,
                unit: "", digits: 3),
        ]
    }

    private func cost(of broker: FilledBroker) throws -> (seconds: Double, processor: Double) {
        let before = try ProcessorTime(of: broker.process.identifier)
        let result = try broker.burst(requests: settings.requests)
        let used = try ProcessorTime(of: broker.process.identifier).total - before.total
        // A short run may take less than the system's clock shows.
        return (result.seconds, max(used.user + used.system, 0.01))
    }
}
