import Foundation

do {
    switch try Invocation(CommandLine.arguments.dropFirst()) {
    case .help: print(Invocation.usage)
    case .answer: try AnsweringServer.run()
    case .planner(let settings): try PlannerBenchmark(settings).run()
    case .analytics(let settings): try AnalyticsBenchmark(settings).run()
    case .scheduler(let settings): try SchedulerBenchmark(settings).run()
    case .apns(let settings): try APNsBenchmark(settings).run()
    case .store(let settings): try StoreBenchmark(settings).run()
    case .pages(let bytes): try PageServer.run(bytes: bytes)
    case .durable(let settings): try DurableBenchmark(settings).run()
    case .measure(let settings): try Benchmark(settings).run()
    }
} catch {
    FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
    exit(1)
}
