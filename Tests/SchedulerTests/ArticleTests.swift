import DepletionScheduler
import Foundation
import HabitScheduler
import InactivityScheduler
import OnboardingScheduler
import RationModel
import RationPluginKit
import Testing

@Suite("The article on schedulers")
struct ArticleTests {
    private static let plugins: [any Scheduler.Type] = [
        HabitScheduler.self, OnboardingScheduler.self, DepletionScheduler.self, InactivityScheduler.self,
    ]

    /// The lines of the article.
    private static let article = Result {
        let path = "Sources/ration/ration.docc/Schedulers.md"
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
    }

    /// What stands below a heading, up to the next one of its level or above.
    private func section(_ heading: String) throws -> ArraySlice<String> {
        let lines = try Self.article.get()
        let start = try #require(lines.firstIndex(of: heading), "no heading '\(heading)'")
        let level = heading.prefix { $0 == "#" }.count
        let end = lines[(start + 1)...].firstIndex { line in
            let marks = line.prefix { $0 == "#" }.count
            return marks > 0 && marks <= level
        }
        return lines[start..<(end ?? lines.count)]
    }

    /// The rows of the tables in a section.
    private func rows(_ heading: String) throws -> [String] {
        try section(heading).filter { $0.hasPrefix("| `") }
    }

    @Test("names the plugins, their facts and their settings, and no others")
    func headings() throws {
        let expected = Self.plugins.flatMap { plugin in
            ["## \(plugin.name)"] + plugin.tables.map { "### Facts \($0.name) of \(plugin.name)" }
                + ["### Settings of \(plugin.name)"]
        }
        let headings = try Self.article.get().filter { $0.hasPrefix("### ") || expected.contains($0) }
        #expect(headings == expected)
    }

    @Test("lists exactly the columns that each plugin reads, with form, nullability and meaning")
    func columns() throws {
        for plugin in Self.plugins {
            for table in plugin.tables {
                let expected = table.columns.map { column in
                    "| `\(column.name)` | \(column.form.rawValue) | \(column.isOptional ? "yes" : "no") | \(column.meaning) |"
                }
                #expect(
                    try rows("### Facts \(table.name) of \(plugin.name)") == expected,
                    "expected\n\(expected.joined(separator: "\n"))")
                let text = try section("### Facts \(table.name) of \(plugin.name)").joined(separator: "\n")
                #expect(text.contains(table.meaning), "\(table.meaning)")
                #expect(text.contains("The query may be left out.") == table.isOptional, "\(table.name)")
            }
        }
    }

    @Test("lists exactly the settings that each plugin knows, with form, standard and meaning")
    func settings() throws {
        for plugin in Self.plugins {
            let expected = plugin.settings.map { setting in
                "| `\(setting.name)` | \(setting.form) | \(setting.standard ?? "required") | \(setting.meaning) |"
            }
            #expect(
                try rows("### Settings of \(plugin.name)") == expected, "expected\n\(expected.joined(separator: "\n"))")
        }
    }

    @Test("the standards that are listed are those that hold: settings that say the same change nothing")
    func standards() throws {
        for plugin in Self.plugins { try checkStandards(plugin) }
    }

    private func checkStandards<Plugin: Scheduler>(_ plugin: Plugin.Type) throws {
        let written: [Setting] = Plugin.settings.compactMap { description in
            guard let standard = description.standard, standard != "none", !standard.hasPrefix("one for each"),
                !description.form.hasPrefix("a mapping")
            else { return nil }
            if description.form.hasPrefix("a whole number"), let number = Int64(standard) {
                return Setting(description.name, .wholeNumber(number))
            }
            guard standard.hasPrefix("[") else { return Setting(description.name, .text(standard)) }
            let items = standard.dropFirst().dropLast().components(separatedBy: ", ")
            return Setting(description.name, .list(items.map { .text($0) }))
        }
        #expect(written.count >= 6)
        #expect(String(describing: try Plugin(settings: written)) == String(describing: try Plugin(settings: [])))
    }
}
