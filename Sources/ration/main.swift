import RationCommandLine

Program(
    name: "ration",
    summary: "Ration decides which notifications hold the slots of a phone, and tells every service why.",
    version: "0.1.0",
    commands: [
        CheckCommand.self,
        SimulateCommand.self,
    ]
).main()
