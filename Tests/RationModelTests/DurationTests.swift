import RationModel
import Testing

@Suite("Durations are a whole number and a unit")
struct DurationTests {
    @Test(
        "Every unit",
        arguments: [
            ("0s", 0), ("1ms", 1), ("1s", 1000), ("1m", 60_000), ("1h", 3_600_000), ("1d", 86_400_000),
            ("007d", 604_800_000),
            ("3653d", 315_619_200_000), ("9223372036854775807ms", .max),
            ("9223372036854775s", 9_223_372_036_854_775_000),
        ] as [(String, Int64)])
    func read(text: String, milliseconds: Int64) {
        #expect(WrittenDuration.milliseconds(text) == milliseconds)
    }

    @Test(
        "Anything else",
        arguments: [
            "", "s", "1", "-1s", "+1s", " 1s", "1s ", "1 s", "1.5h", "1e3s", "1S", "1H", "1sec", "1us", "1w", "1hm",
            "1h30m",
            "0x1s", "１s", "9223372036854775808ms", "9223372036854776s", "106751991168d", "99999999999999999999d",
        ])
    func refused(_ text: String) {
        #expect(WrittenDuration.milliseconds(text) == nil)
    }
}
