import CLate
import Text

/// Libraries that are loaded when they are needed (`Sources/CLate`), here before that: so that what
/// goes wrong is an error like others, and not the end of the process.
enum LateLibrary {
    /// What an agent cannot be without; one that a library needs stands before it. mDNS is not among
    /// them: without it an agent goes on and says why.
    static let agent = ["libsodium", "libsqlite3", "libcrypto", "libssl"]
    /// What draws the view.
    static let screen = ["libtinfo", "libncursesw"]
    #if PICTURES
        /// What reads strangers' files.
        static let reader = ["libzip", "libZXing"]
    #else
        /// What reads strangers' files.
        static let reader = ["libzip"]
    #endif

    /// Loads them all. Throws `code` at the first that cannot be; `what` lacks it.
    static func load(_ names: [String], for what: String, _ code: ErrorCode) throws(UserError) {
        for name in names {
            guard let why = late_load(name).map({ String(cString: $0) }) else { continue }
            throw UserError(
                code, "\(what) lacks a library", why: why, advice: advice(name))
        }
    }

    /// The line that brings one back.
    static func advice(_ name: String) -> String? {
        late_package(name).map { "sudo apt-get install --reinstall " + String(cString: $0) }
    }
}
