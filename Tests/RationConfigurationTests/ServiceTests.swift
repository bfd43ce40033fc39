import RationConfiguration
import RationModel
import Testing

@Suite("The sections of schedulers, subscribers and processes")
struct ServiceTests {
    @Test("a scheduler without more than facts and queries has the defaults; its state lies in the data folder")
    func schedulerDefaults() throws {
        let text = "broker: {data: /d}\nschedulers: {habit: {facts: /f, queries: {habits: SELECT 1}}}"
        let scheduler = try #require(configuration(text).schedulers.first)
        var expected = SchedulerConfiguration(name: "habit", plugin: "habit", facts: "/f", state: "/d/habit.db")
        expected.queries = ["habits": "SELECT 1"]
        #expect(scheduler == expected)
        #expect((scheduler.everyMilliseconds, scheduler.retryMilliseconds) == (60_000, 3_600_000))
    }

    @Test("every key of a scheduler is taken; paths start at the configuration's folder")
    func schedulerKeys() throws {
        let text = """
            schedulers:
              evening:
                plugin: habit
                facts: facts.db
                state: states/evening.db
                every: 90s
                retry: 2h
                horizon: 3d
                messages: {late: {title: Late, weight: null}}
                queries:
                  habits: SELECT a FROM b
                  entries: SELECT c FROM d
            """
        let configuration = try Configuration.read(
            text: Array(text.utf8), file: "etc/c", orders: orders, zones: FewZones(), services: someServices)
        var expected = SchedulerConfiguration(
            name: "evening", plugin: "habit", facts: "etc/facts.db", state: "etc/states/evening.db")
        (expected.everyMilliseconds, expected.retryMilliseconds) = (90_000, 7_200_000)
        expected.queries = ["habits": "SELECT a FROM b", "entries": "SELECT c FROM d"]
        expected.settings = [
            Setting("horizon", .text("3d")),
            Setting("messages", .mapping([Setting("late", .mapping([Setting("title", .text("Late"))]))])),
        ]
        #expect(configuration.schedulers == [expected])
    }

    @Test("every key of a subscriber is taken, and the defaults hold without them")
    func subscriber() throws {
        let text = """
            broker: {data: /d}
            subscribers:
              analytics:
              mine: {plugin: analytics, data: /m, apps: [com.x], types: [habit], page: 1, tries: 3, http: 127.0.0.1:9, bins: [0.5, 1e3]}
            """
        var mine = SubscriberConfiguration(name: "mine", plugin: "analytics", data: "/m")
        (mine.apps, mine.types, mine.pageEvents, mine.tries) = (["com.x"], ["habit"], 1, 3)
        mine.http = try HTTPAddress("127.0.0.1:9")
        mine.settings = [Setting("bins", .list([.number(0.5), .number(1_000)]))]
        let standard = SubscriberConfiguration(name: "analytics", plugin: "analytics", data: "/d/analytics.db")
        #expect(try configuration(text).subscribers == [standard, mine])
        #expect((standard.pageEvents, standard.tries, standard.http) == (10_000, 5, nil))
    }

    @Test("a process is a list of words; numbers need no quotes; a program with a slash starts at the file's folder")
    func processes() throws {
        let text = "processes:\n  b: {command: [ration, demo, --seed, 1]}\n  a: {command: [./x/y, './z']}"
        let processes = try Configuration.read(
            text: Array(text.utf8), file: "etc/c", orders: orders, zones: FewZones(), services: someServices
        ).processes
        #expect(
            processes == [
                ProcessConfiguration(name: "b", command: ["ration", "demo", "--seed", "1"]),
                ProcessConfiguration(name: "a", command: ["etc/./x/y", "./z"]),
            ])
    }

    @Test("the broker and clients do not look into these sections, but know their names")
    func notLookedAt() throws {
        let text = Array("schedulers: {nonsense: 5}\nprocesses: []".utf8)
        let read = try Configuration.read(text: text, file: "c", orders: orders, zones: FewZones())
        #expect(read == Configuration())
    }

    private static let habit = "facts: /f, queries: {habits: SELECT 1}"

    @Test(
        "faults are told with place, path, what was expected and what was found",
        arguments: [
            BadDocument("schedulers: []", "c:1:13: schedulers: expected a mapping, found a list"),
            BadDocument(
                "schedulers:\n  habbit: {\(habit)}",
                "c:2:3: schedulers.habbit: unknown scheduler 'habbit', did you mean 'habit'?"),
            BadDocument(
                "schedulers:\n  a: {plugin: habbit, \(habit), every: 5, color: red}",
                "c:2:15: schedulers.a.plugin: unknown scheduler 'habbit', did you mean 'habit'?",
                "c:2:70: schedulers.a.every: expected a duration from 100ms to 1d, such as 90s, found the number 5"),
            BadDocument(
                "schedulers:\n  habit: {\(habit), horizn: 7d}",
                "c:2:51: schedulers.habit.horizn: unknown key 'horizn', did you mean 'horizon'?"),
            BadDocument(
                "schedulers:\n  habit: {\(habit), evry: 7d}",
                "c:2:51: schedulers.habit.evry: unknown key 'evry', did you mean 'every'?"),
            BadDocument(
                "schedulers:\n  habit:",
                "c:2:3: schedulers.habit: expected the key 'facts', the SQLite file that the facts are read from, found none",
                "c:2:3: schedulers.habit.queries.habits: expected a query, found none"),
            BadDocument(
                "schedulers:\n  habit:\n    facts: /f\n    queries: {habit: SELECT 1, entries: ' '}",
                "c:4:5: schedulers.habit.queries.habits: expected a query, found none",
                "c:4:15: schedulers.habit.queries.habit: unknown key 'habit', did you mean 'habits'?",
                "c:4:41: schedulers.habit.queries.entries: expected a query in SQL, found the text ' '"),
            BadDocument(
                "schedulers:\n  habit:\n    facts: /f\n    queries: SELECT 1",
                "c:4:14: schedulers.habit.queries: expected a mapping, found the text 'SELECT 1'"),
            BadDocument(
                "schedulers:\n  habit: {\(habit), every: 99ms, retry: 31d}",
                "c:2:58: schedulers.habit.every: expected a duration from 100ms to 1d, such as 90s, found the text '99ms'",
                "c:2:71: schedulers.habit.retry: expected a duration from 100ms to 30d, such as 90s, found the text '31d'"
            ),
            BadDocument(
                "schedulers:\n  habit:\n    facts: /f\n    queries: {habits: SELECT 1}\n    horizon: 5\n"
                    + "    messages:\n      late: {title: true}\n      early: [0.5, x]",
                "c:5:14: schedulers.habit.horizon: expected a text",
                "c:7:21: schedulers.habit.messages.late.title: expected a text",
                "c:8:20: schedulers.habit.messages.early[1]: expected a number"),
            BadDocument(
                "schedulers:\n  habit: {\(habit), horizon: .inf}",
                "c:2:60: schedulers.habit.horizon: expected a decimal number such as 0.5, found the number .inf"),
            BadDocument(
                "schedulers:\n  habit: {\(habit), horizon: 9223372036854775808}",
                "c:2:60: schedulers.habit.horizon: expected a number from -9223372036854775808 to 9223372036854775807, "
                    + "found the number 9223372036854775808"),
            BadDocument(
                "schedulers:\n  sleep: {facts: /f, queries: {nights: SELECT 1}}",
                "c:2:3: schedulers.sleep: expected the key 'hour', a time of day, found none"),
            BadDocument(
                "broker: {data: d}\nschedulers:\n  habit: {facts: d/habit.db, queries: {habits: SELECT 1}}",
                "c:3:3: schedulers.habit: expected a state file of its own, found the facts' 'd/habit.db'"),
            BadDocument(
                "subscribers:\n  a: {plugin: analytics, data: /x}\n  b: {plugin: analytics, data: /x}",
                "c:3:32: subscribers.b.data: expected a file of its own, found that of subscribers.a.data, '/x'"),
            BadDocument(
                "subscribers:\n  analytics: {page: 10001, tries: 0, http: 127.0.0.1:7467, types: [a/b]}",
                "c:2:21: subscribers.analytics.page: expected a whole number from 1 to 10000, found 10001",
                "c:2:35: subscribers.analytics.tries: expected a whole number from 1 to 1000, found 0",
                "c:2:44: subscribers.analytics.http: expected an address of its own, found that of broker.http, "
                    + "'127.0.0.1:7467'",
                "c:2:68: subscribers.analytics.types[0]: expected a type of 1 to 64 letters, digits, '.', '-' and '_', "
                    + "found the text 'a/b'"),
            BadDocument(
                "processes:\n  a:\n  b: {command: ls}\n  c: {command: []}\n  d: {command: [ls, [x]]}\n  e: {comand: [ls]}",
                "c:2:3: processes.a: expected the key 'command', a list of the program and its arguments, found none",
                "c:3:16: processes.b.command: expected a list of the program and its arguments, found the text 'ls'",
                "c:4:16: processes.c.command: expected a list of the program and its arguments, found an empty list",
                "c:5:21: processes.d.command[1]: expected a text without NUL, found a list",
                "c:6:3: processes.e: expected the key 'command', a list of the program and its arguments, found none",
                "c:6:7: processes.e.comand: unknown key 'comand', did you mean 'command'?"),
        ])
    func faultsOfText(document: BadDocument) {
        #expect(faults(ofConfiguration: document.text) == document.faults)
    }

    @Test("names are plain, at most 64 bytes, and distinct over all sections; the broker's is taken")
    func names() {
        let words = { (name: String) in "processes: {'\(name)': {command: [ls]}}" }
        for name in ["a", "A.b-c_9", "9", String(repeating: "n", count: 64)] {
            #expect(faults(ofConfiguration: words(name)) == [], "\(name)")
        }
        for name in ["", ".", "-a", "a/b", "a b", "é", String(repeating: "n", count: 65)] {
            #expect(faults(ofConfiguration: words(name)).count == 1, "\(name)")
        }
        #expect(
            faults(ofConfiguration: words("broker")) == [
                "c:1:13: processes.broker: expected a name of its own, found that of broker"
            ])
        let twice = "subscribers: {analytics: }\nprocesses: {analytics: {command: [ls]}}"
        #expect(
            faults(ofConfiguration: twice) == [
                "c:2:13: processes.analytics: expected a name of its own, found that of subscribers.analytics"
            ])
    }
}
