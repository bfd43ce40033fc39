public import RationES256
public import RationModel

/// A JSON Web Token that says which key and team a push comes from (Apple, "Establishing a token-based connection to APNs").
public enum ProviderToken {
    /// - Parameter issued: when it is made.
    /// - Throws: ``SigningError``.
    public static func text(
        key: SigningKey, identifier: String, team: String, issued: Instant
    ) throws(SigningError) -> String {
        // Identifiers are letters and digits.
        let header = Array(#"{"alg":"ES256","kid":"\#(identifier)"}"#.utf8)
        let claims = Array(#"{"iss":"\#(team)","iat":\#(issued.milliseconds / 1_000)}"#.utf8)
        let signed = "\(Base64URL.text(header)).\(Base64URL.text(claims))"
        return "\(signed).\(Base64URL.text(try key.signature(of: Array(signed.utf8))))"
    }
}
