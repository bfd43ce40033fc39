import RationModel

extension ZoneTable {
    /// The zone of a TZif file.
    /// - Parameters:
    ///   - path: of the file, for errors.
    /// - Throws: `ZoneError` with code `broken`.
    convenience init(name: String, file bytes: [UInt8], path: String) throws(ZoneError) {
        let file: ZoneFile
        do throws(ZoneFault) {
            file = try ZoneFile(bytes)
        } catch {
            throw ZoneError(
                code: .broken, path: path, errorNumber: 0, message: "byte \(error.offset): \(error.reason)")
        }
        self.init(
            name: name, offsetMilliseconds: file.offsetMilliseconds, transitions: file.transitions, rule: file.rule)
    }
}
