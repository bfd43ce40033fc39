// swift-tools-version: 6.2
import PackageDescription

// One settings block for all targets.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Targets in which the tests spend most of their time, on generated scenarios and simulations: they are optimized in debug
/// builds, too.
let optimized: Set<String> = [
    "RationModel", "RationPlanner", "RationJSON", "RationWire", "RationZones", "RationStore",
    "TestSupport", "PlannerModel", "SoonestOrder", "PriorityOrder", "QuietHoursRule", "FrequencyCapRule",
]

func settings(of target: String) -> [SwiftSetting] {
    optimized.contains(target) ? settings + [.unsafeFlags(["-O"], .when(configuration: .debug))] : settings
}

/// A layer in `Sources/`: what it may import is what it lists.
func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings(of: name))
}

/// A plugin in `Plugins/`: an ordinary target that no other plugin imports.
func plugin(_ name: String, at path: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Plugins/\(path)", swiftSettings: settings(of: name))
}

/// The tests of one target, in the folder of the same name.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude,
        swiftSettings: settings(of: name))
}

/// A C library of Debian's, found by pkg-config.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
    name: "ration",
    products: [
        .executable(name: "ration", targets: ["ration"])
    ],
    targets: [
        // C libraries
        library("CZeroMQ", pkgConfig: "libzmq", apt: "libzmq3-dev"),
        library("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CRocksDB", pkgConfig: "rocksdb", apt: "librocksdb-dev"),
        library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
        library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
        library("CLibSimdJSON", pkgConfig: "simdjson", apt: "libsimdjson-dev"),
        .target(name: "CRocksDBLog", dependencies: ["CRocksDB"]),
        .target(name: "CSimdJSON", dependencies: ["CLibSimdJSON"]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CPrefetch"),

        // The pure core
        layer("RationModel"),
        layer("RationPlanner", ["RationModel", "CPrefetch"]),

        // Bytes and values
        layer("RationJSON", ["CSimdJSON"]),
        layer("RationWire", ["RationModel", "RationJSON"]),
        layer("RationZones", ["RationModel"]),
        layer("RationConfiguration", ["RationModel", "CYAML"]),
        layer("RationCategories", ["RationModel"]),
        layer("RationCommandLine", ["RationModel", "RationConfiguration", "CLinux"]),

        // Sockets, storage, the broker
        layer("RationSQLite", ["CSQLite"]),
        layer("RationBus", ["RationModel", "RationWire", "RationJSON", "RationSQLite", "CZeroMQ", "CLinux"]),
        layer("RationRocksDB", ["CRocksDB", "CRocksDBLog"]),
        layer("RationStore", ["RationModel", "RationRocksDB"]),
        layer("RationPluginKit", ["RationModel", "RationPlanner"]),
        layer(
            "RationScheduling",
            [
                "RationModel", "RationJSON", "RationWire", "RationSQLite", "RationBus", "RationPluginKit", "CLinux",
            ]),
        layer(
            "RationSubscribing",
            ["RationModel", "RationJSON", "RationWire", "RationSQLite", "RationBus", "RationPluginKit"]),
        layer("RationSupervision", ["CLinux"]),
        layer("RationSimulation", ["RationModel", "RationPlanner", "RationJSON", "RationWire"]),
        layer("RationDemo", ["RationModel", "RationJSON", "RationSQLite"]),
        layer("RationPhone", ["RationModel", "RationPlanner", "RationJSON"]),
        layer("RationHTTP", ["CMicroHTTPD"]),
        layer("RationHTTP2Client", ["CNGHTTP2", "COpenSSL", "CLinux"]),
        layer("RationES256", ["COpenSSL"]),
        layer(
            "RationBroker",
            [
                "RationModel", "RationPlanner", "RationJSON", "RationWire", "RationBus", "RationStore",
                "RationPluginKit", "RationHTTP", "CLinux",
            ]),

        // Plugins
        plugin("SoonestOrder", at: "Orders/Soonest", ["RationModel", "RationPlanner"]),
        plugin("PriorityOrder", at: "Orders/Priority", ["RationModel", "RationPlanner"]),
        plugin("QuietHoursRule", at: "Rules/QuietHours", ["RationModel", "RationPlanner"]),
        plugin("FrequencyCapRule", at: "Rules/FrequencyCap", ["RationModel", "RationPlanner"]),
        plugin("HabitScheduler", at: "Schedulers/Habit", ["RationModel", "RationPluginKit"]),
        plugin("OnboardingScheduler", at: "Schedulers/Onboarding", ["RationModel", "RationPluginKit"]),
        plugin("DepletionScheduler", at: "Schedulers/Depletion", ["RationModel", "RationPluginKit"]),
        plugin("InactivityScheduler", at: "Schedulers/Inactivity", ["RationModel", "RationPluginKit"]),
        plugin(
            "AnalyticsSubscriber", at: "Subscribers/Analytics",
            ["RationModel", "RationPluginKit", "RationSubscribing", "RationSQLite"]),
        plugin(
            "APNsSubscriber", at: "Subscribers/APNs",
            [
                "RationModel", "RationJSON", "RationWire", "RationBus", "RationSQLite", "RationPluginKit",
                "RationSubscribing", "RationHTTP2Client", "RationES256",
            ]),

        plugin(
            "PlansSubscriber", at: "Subscribers/Plans",
            [
                "RationModel", "RationJSON", "RationWire", "RationBus", "RationSQLite", "RationPluginKit",
                "RationSubscribing", "RationHTTP", "COpenSSL",
            ]),

        // The command
        .executableTarget(
            name: "ration",
            dependencies: [
                "RationModel", "RationPlanner", "RationJSON", "RationWire", "RationZones", "RationConfiguration",
                "RationCategories", "RationCommandLine", "RationSQLite", "RationBus", "RationStore", "RationPluginKit",
                "RationScheduling",
                "RationSubscribing", "RationSupervision", "RationSimulation", "RationHTTP", "RationBroker",
                "RationDemo",
                "SoonestOrder", "PriorityOrder", "QuietHoursRule", "FrequencyCapRule",
                "HabitScheduler", "OnboardingScheduler", "DepletionScheduler", "InactivityScheduler",
                "AnalyticsSubscriber", "APNsSubscriber", "PlansSubscriber", "RationHTTP2Client", "RationES256",
            ],
            swiftSettings: settings),

        // Tests
        .target(
            name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings(of: "TestSupport")),
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        .target(
            name: "TestProcesses", dependencies: ["CSpawn"], path: "Tests/TestProcesses", swiftSettings: settings),
        .target(
            name: "PlannerModel", dependencies: ["RationModel", "RationJSON"], path: "Tests/PlannerModel",
            swiftSettings: settings(of: "PlannerModel")),
        .target(name: "CountingMalloc", path: "Tests/CountingMalloc"),
        .target(name: "FailingSync", path: "Tests/FailingSync"),
        .target(name: "SimulatedDisk", dependencies: ["CRocksDB"], path: "Tests/SimulatedDisk"),
        tests("RationModelTests", ["TestSupport", "RationModel"]),
        tests(
            "RationPlannerTests",
            [
                "TestSupport", "RationModel", "RationPlanner", "SoonestOrder", "PriorityOrder", "QuietHoursRule",
                "FrequencyCapRule",
            ]),
        tests(
            "RuleTests",
            [
                "TestSupport", "RationModel", "RationPlanner", "RationWire", "SoonestOrder", "QuietHoursRule",
                "FrequencyCapRule",
            ]),
        tests("RationJSONTests", ["TestSupport", "RationJSON"]),
        tests("RationWireTests", ["TestSupport", "RationModel", "RationJSON", "RationWire"]),
        tests("RationZonesTests", ["TestSupport", "RationModel", "RationZones"]),
        tests("RationConfigurationTests", ["TestSupport", "RationModel", "RationConfiguration"]),
        tests(
            "RationCategoriesTests",
            ["TestSupport", "TestProcesses", "RationModel", "RationWire", "RationConfiguration", "RationCategories"],
            exclude: ["Stub"]),
        tests("RationCommandLineTests", ["RationConfiguration", "RationCommandLine"]),
        tests("RationSQLiteTests", ["RationSQLite"]),
        tests("RationBusTests", ["RationModel", "RationJSON", "RationWire", "RationSQLite", "RationBus"]),
        tests(
            "RationSchedulingTests",
            [
                "TestSupport", "RationModel", "RationJSON", "RationWire", "RationZones", "RationSQLite", "RationBus",
                "RationPluginKit", "RationScheduling",
            ]),
        tests(
            "SchedulerTests",
            [
                "TestSupport", "RationModel", "RationZones", "RationPluginKit",
                "HabitScheduler", "OnboardingScheduler", "DepletionScheduler", "InactivityScheduler",
            ]),
        tests(
            "RationSubscribingTests",
            [
                "TestSupport", "TestProcesses", "RationModel", "RationJSON", "RationWire", "RationSQLite", "RationBus",
                "RationPluginKit", "RationSubscribing",
            ]),
        tests(
            "SubscriberTests",
            [
                "TestSupport", "RationModel", "RationJSON", "RationWire", "RationSQLite", "RationPluginKit",
                "RationSubscribing", "RationBus", "AnalyticsSubscriber", "APNsSubscriber",
                "PlansSubscriber",
            ]),
        tests("RationES256Tests", ["RationES256"]),
        tests(
            "APNsTests",
            [
                "TestSupport", "TestProcesses", "RationModel", "RationJSON", "RationWire", "RationBus", "RationSQLite",
                "RationPluginKit",
                "RationSubscribing", "RationHTTP2Client", "RationES256", "APNsSubscriber",
            ],
            exclude: ["Server"]),
        tests("RationPhoneTests", ["RationModel", "RationZones", "RationPhone"]),
        tests(
            "PlansTests",
            [
                "TestSupport", "RationModel", "RationPlanner", "RationJSON", "RationWire", "RationZones", "RationBus",
                "RationSQLite", "RationHTTP", "RationPluginKit", "RationSubscribing", "RationPhone",
                "RationConfiguration", "PlansSubscriber", "SoonestOrder", "QuietHoursRule", "FrequencyCapRule",
            ]),
        tests("RationSupervisionTests", ["TestSupport", "RationSupervision"]),
        tests("RationRocksDBTests", ["RationRocksDB"]),
        tests("RationStoreTests", ["TestSupport", "FailingSync", "RationModel", "RationRocksDB", "RationStore"]),
        tests(
            "RationDemoTests",
            [
                "RationModel", "RationPlanner", "RationWire", "RationZones", "RationConfiguration", "RationSQLite",
                "RationDemo",
                "SoonestOrder", "QuietHoursRule", "FrequencyCapRule",
            ]),
        tests("RationHTTPTests", ["RationHTTP"]),
        tests(
            "RationBrokerTests",
            [
                "RationModel", "RationPlanner", "RationJSON", "RationWire", "RationConfiguration", "RationBus",
                "RationStore", "RationBroker", "SoonestOrder",
            ]),
        tests(
            "RationSimulationTests",
            [
                "TestSupport", "PlannerModel", "RationModel", "RationPlanner", "RationJSON", "RationZones",
                "RationConfiguration", "RationSimulation",
                "SoonestOrder", "PriorityOrder", "QuietHoursRule", "FrequencyCapRule",
            ]),
        tests(
            "Simulation",
            [
                "TestSupport", "PlannerModel", "SimulatedDisk", "RationModel", "RationPlanner", "RationJSON",
                "RationWire",
                "RationZones",
                "RationConfiguration", "RationRocksDB", "RationStore", "RationBus", "RationBroker",
                "SoonestOrder", "QuietHoursRule", "FrequencyCapRule",
            ]),
        tests(
            "EndToEnd",
            [
                "TestSupport", "TestProcesses", "PlannerModel", "RationModel", "RationJSON", "RationWire", "RationBus",
                "RationZones",
                "RationPhone",
            ],
            exclude: ["Support/PreloadedSync.c"]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "RationModel", "RationPlanner", "RationJSON", "RationWire", "RationZones", "RationBus", "RationRocksDB",
                "RationStore",
                "CZeroMQ",
                "RationSQLite", "RationPluginKit", "RationScheduling", "RationSubscribing", "AnalyticsSubscriber",
                "APNsSubscriber", "RationHTTP2Client", "RationES256",
                "SoonestOrder", "QuietHoursRule", "FrequencyCapRule", "TestSupport", "CountingMalloc",
            ],
            path: "Tests/Benchmarks", swiftSettings: settings),
    ],
    cxxLanguageStandard: .cxx17
)
