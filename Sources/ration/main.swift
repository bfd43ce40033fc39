import RationCommandLine

Program(
    name: "ration",
    summary: "Ration decides which notifications hold the slots of a phone, and tells every service why.",
    version: version,
    commands: [
        APNsCommand.self,
        AnalyticsCommand.self,
        BackupCommand.self,
        BrokerCommand.self,
        CategoriesCommand.self,
        CheckCommand.self,
        CheckDataCommand.self,
        ClockCommand.self,
        DemoCommand.self,
        ExplainCommand.self,
        LogCommand.self,
        PlanCommand.self,
        PoisonCommand.self,
        PolicyCommand.self,
        PublishCommand.self,
        RestoreCommand.self,
        SchedulerCommand.self,
        SimulateCommand.self,
        SnapshotCommand.self,
        StatusCommand.self,
        StopCommand.self,
        SubscriberCommand.self,
        TailCommand.self,
        UpCommand.self,
    ]
).main()
