/// The version of the program, one place for all who say it.
enum Version {
    /// Semantic version.
    static let text = "0.1.0"
}
