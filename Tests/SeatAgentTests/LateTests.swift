import CLate
import Testing

@testable import SeatAgent

/// Libraries that are loaded when one of their functions is called first.
@Suite("Late libraries")
struct LateTests {
    #if PICTURES
        private static let libraries = plain + ["libZXing"]
    #else
        private static let libraries = plain
    #endif
    private static let plain = [
        "libcrypto", "libssl", "libsodium", "libsqlite3", "libdns_sd", "libavahi-common",
        "libncursesw", "libtinfo", "libzip",
    ]

    @Test("Each is there, with every function that is listed", arguments: libraries)
    func complete(library: String) {
        let why = late_load(library).map { String(cString: $0) }
        #expect(why == nil)
    }

    @Test("What is not listed is refused", arguments: ["libz", "libzi", "libzip.so.4", ""])
    func unknown(library: String) {
        #expect(late_load(library) != nil)
        #expect(late_package(library) == nil)
    }

    @Test("Where one lacks, it is said which package has it", arguments: libraries)
    func package(library: String) throws {
        let advice = try #require(LateLibrary.advice(library))
        #expect(advice.hasPrefix("sudo apt-get install --reinstall lib"))
        #expect(throws: Never.self) { try LateLibrary.load([library], for: "a test", .failed) }
    }

    @Test("What cannot be loaded is an error with its code")
    func lacking() {
        let error = #expect(throws: UserError.self) {
            try LateLibrary.load(["libzip", "libz"], for: "a test", .noStart)
        }
        #expect(error?.code == .noStart && error?.what == "a test lacks a library")
    }

    @Test("A variable lies in one place")
    func variable() {
        let place = late_variable("libncursesw", "COLORS")
        #expect(place != nil)
        #expect(late_variable("libncursesw", "COLORS") == place)
    }
}
