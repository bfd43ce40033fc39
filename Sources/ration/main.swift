import RationCommandLine

Program(
    name: "ration",
    summary: "Ration decides which notifications hold the slots of a phone, and tells every service why.",
    version: version,
    commands: [
        APNsCommand.self,
        AnalyticsCommand.self,
        BrokerCommand.self,
        CategoriesCommand.self,
        CheckCommand.self,
        ClockCommand.self,
        DemoCommand.self,
        ExplainCommand.self,
        PlanCommand.self,
        PolicyCommand.self,
        PublishCommand.self,
        SchedulerCommand.self,
        SimulateCommand.self,
        SnapshotCommand.self,
        StatusCommand.self,
        SubscriberCommand.self,
        TailCommand.self,
        UpCommand.self,
    ]
).main()
