// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import Glibc
import PackageDescription

/// Swift 6 mode, and a warning is an error. For targets that import C libraries: which of two of
/// their modules owns a type of the C library that both include (`sigset_t`, `sockaddr`) depends on
/// the order in which the compiler reads them, so members cannot be held to an import.
let strictWithC: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // The CBOR reader borrows the bytes it reads (`~Escapable` over `RawSpan`).
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

/// One set of rules for all others: Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = strictWithC + [.enableUpcomingFeature("MemberImportVisibility")]

/// The commit that `seatagent --version` names: the Makefile says it.
let commit = Context.environment["SEATAGENT_COMMIT"] ?? "unknown"

/// Pictures of boarding passes are read where ZXing and stb_image were
/// found; the rest works without.
let hasZXing =
    Context.environment["SEATAGENT_PICTURES"] != "no"
    && ["/usr/include", "/usr/local/include"].contains { folder in
        access(folder + "/ZXing/ReadBarcode.h", R_OK) == 0
            && access(folder + "/stb/stb_image.h", R_OK) == 0
    }

/// The reader of pictures.
let pictures: [Target] =
    hasZXing ? [.target(name: "CZXing", linkerSettings: [.linkedLibrary("ZXing")])] : []

/// What `#if PICTURES` asks for.
let withPictures: [SwiftSetting] = hasZXing ? [.define("PICTURES")] : []

/// Set by `scripts/fuzz`: what is fuzzed is three programs then, in place of tests. They are no
/// targets of every build because their `main` is libFuzzer's, and because they look inside of
/// other modules, which a build for release does not let them.
let isFuzzing = Context.environment["SEATAGENT_FUZZ"] != nil

let agentParts: [Target.Dependency] = [
    "Aviation", "Boarding", "Bookings", "CivilTime", "ControlAPI", "DeskShell", "Grammar",
    "Interfaces", "Keys", "Launch", "Notify", "Owner", "Parking", "Places", "Profile", "Protocol",
    "QR", "System", "Terminal", "Text", "Trips", "Venues", "View", "Wording", "CLinux",
]

let passParts: [Target.Dependency] =
    ["Aviation", "Boarding", "CivilTime", "Protocol", "System", "Text", "CLinux", "CZip"]
    + (hasZXing ? ["CZXing"] : [])

/// What tests, simulator, fuzz stage and bench have in common: a world in memory,
/// passengers, and fake cryptography.
let kits: [Target] = [
    .target(
        name: "ProtocolTestKit", dependencies: ["Protocol"], path: "Tests/ProtocolTestKit",
        swiftSettings: strict),
    .target(
        name: "RendezvousKit", dependencies: ["Protocol", "ProtocolTestKit", "Rendezvous"],
        path: "Tests/RendezvousKit", swiftSettings: strict),
    .target(name: "FuzzKit", path: "Tests/Fuzz/Kit", swiftSettings: strict),
]

/// What the functions that are fuzzed need, beside those that only read.
let fuzzedParts: [Target.Dependency] = [
    "Agent", "Aviation", "Boarding", "Bookings", "Brokers", "CivilTime", "ControlAPI", "DeskShell",
    "Discovery", "FuzzKit", "Keys", "Owner", "PageShell", "Protocol", "Places", "Profile",
    "ProtocolTestKit", "Rendezvous", "Store", "Terminal", "Text", "Transport", "Trips", "Venues",
    "View", "Web", "Wording",
]

/// Scripts and words beside the functions that are fuzzed.
let fuzzScripts = ["fuzz.py", "seeds.py", "seeds_meet.py", "seeds_services.py", "words.dict"]

let ordinary: [Target] = [
    .executableTarget(
        name: "SeatAgent", dependencies: agentParts, swiftSettings: strictWithC),
    .executableTarget(
        name: "seatagentd", dependencies: ["Agent", "System"], swiftSettings: strictWithC),
    .executableTarget(
        name: "seatagent-pass", dependencies: ["PassReader", "System"],
        swiftSettings: strictWithC),
    .executableTarget(
        name: "seatagent-web", dependencies: ["PageShell", "System"], swiftSettings: strictWithC),
    // These five measure and are not installed: one agent's core among many passengers,
    .executableTarget(
        name: "crowd",
        dependencies: ["Keys", "Protocol", "ProtocolTestKit", "Transport", "CSodium"],
        path: "Benchmarks/Crowd", swiftSettings: strictWithC),
    // two ends of a link,
    .executableTarget(
        name: "wire", dependencies: ["Keys", "Protocol", "System", "Transport"],
        path: "Benchmarks/Wire", swiftSettings: strictWithC),
    // what an agent does at a meeting point,
    .executableTarget(
        name: "shore",
        dependencies: [
            "Brokers", "Keys", "Profile", "Protocol", "Rendezvous", "System", "Transport",
        ],
        path: "Benchmarks/Shore", swiftSettings: strictWithC),
    // the core and its store beside what the machine allows,
    .executableTarget(
        name: "core",
        dependencies: [
            "Keys", "Protocol", "ProtocolTestKit", "Store", "Transport", "CSodium", "CSQLite",
        ],
        path: "Benchmarks/Core", swiftSettings: strictWithC),
    // many agents at one broker of a meeting point,
    .executableTarget(
        name: "meetload",
        dependencies: ["Keys", "Protocol", "Rendezvous", "System", "Transport"],
        path: "Benchmarks/Meet", swiftSettings: strictWithC),
    // and who could change seats, for a solver to compare.
    .executableTarget(
        name: "matching", dependencies: ["Protocol", "ProtocolTestKit"],
        path: "Benchmarks/Matching",
        exclude: ["best.py", "drawing.py", "rings.py", "run.py", "simple.py"],
        swiftSettings: strictWithC),
    // The deterministic simulator: real cores in made-up time, and the program that runs seeds.
    .target(
        name: "Simulation",
        dependencies: ["Protocol", "ProtocolTestKit", "Rendezvous", "RendezvousKit"],
        path: "Tests/Simulation", swiftSettings: strict),
    .executableTarget(
        name: "seatsim", dependencies: ["Simulation"], path: "Tests/seatsim",
        swiftSettings: strict),
    // Every order of events of the negotiations' machines, and the program that has time for all.
    .target(
        name: "Explorer", dependencies: ["Protocol", "ProtocolTestKit"], path: "Tests/Explorer",
        swiftSettings: strict),
    .executableTarget(
        name: "explore", dependencies: ["Explorer"], path: "Tests/explore",
        swiftSettings: strict),
    // The example of a program that embeds the core: it sees what is public, as others do.
    .executableTarget(
        name: "embed", dependencies: ["Protocol"], path: "examples/embed/Sources/embed",
        packageAccess: false, swiftSettings: strict),
    .testTarget(
        name: "ProtocolTests",
        dependencies: ["Explorer", "Protocol", "ProtocolTestKit", "Simulation"],
        exclude: ["Scenarios", "Matching/proposals.txt"],
        swiftSettings: strict),
    .testTarget(
        name: "RendezvousTests",
        dependencies: ["Keys", "Protocol", "ProtocolTestKit", "Rendezvous", "RendezvousKit"],
        swiftSettings: strict),
    .testTarget(
        name: "BrokersTests",
        dependencies: [
            "Brokers", "Profile", "Protocol", "ProtocolTestKit", "Rendezvous", "System", "Text",
        ],
        swiftSettings: strictWithC),
    .testTarget(
        name: "DiscoveryTests", dependencies: ["Discovery", "Interfaces", "Protocol"],
        swiftSettings: strict),
    .testTarget(
        name: "SeatAgentTests",
        dependencies: [
            "ControlAPI", "Wording", "Grammar", "Notify", "Launch", "Boarding", "Brokers", "Doctor",
            "Agent",
            "GeoClue", "View", "Interfaces", "Keys", "PassReader", "Discovery", "SeatAgent",
            "Protocol",
            "Text", "CivilTime", "System", "Aviation", "Profile",
            "Bookings", "DeskShell", "Owner", "Parking", "Places", "QR", "Rendezvous", "Store",
            "Terminal", "Transport", "Trips", "Venues", "Web", "PageShell", "ProtocolTestKit",
            "COpenSSL", "CSQLite",
        ],
        exclude: ["Vectors/boarding-passes.json", "Cabins/Pictures", "Control/Objects.txt"],
        swiftSettings: strictWithC + withPictures),
    // The functions that are fuzzed, run over the inputs that are kept.
    .testTarget(
        name: "FuzzTests", dependencies: fuzzedParts, path: "Tests/Fuzz",
        exclude: ["CCBOR", "Corpus", "Engine", "Kit", "Regressions"] + fuzzScripts,
        sources: ["Replay", "Readers", "Passes", "Agent"], swiftSettings: strict),
]

/// A program for libFuzzer, of the functions in one folder and its own entry.
func fuzzer(_ name: String, _ folder: String, _ needs: [Target.Dependency]) -> Target {
    let folders = ["CCBOR", "Corpus", "Kit", "Regressions", "Replay"]
    let others = ["Readers", "Passes", "Agent"].filter { $0 != folder }
    return .executableTarget(
        name: name, dependencies: needs, path: "Tests/Fuzz",
        exclude: folders + fuzzScripts + others + others.map { "Engine/\($0)" },
        sources: ["Engine/\(folder)", folder], swiftSettings: strict)
}

/// Small ones for what only reads: libFuzzer looks at a counter of each branch in the program after
/// each input, which takes longer than to read it.
let fuzzers: [Target] = [
    .systemLibrary(name: "CCBOR", path: "Tests/Fuzz/CCBOR"),
    fuzzer("fuzz-readers", "Readers", ["FuzzKit", "Protocol", "CCBOR"]),
    fuzzer(
        "fuzz-passes", "Passes",
        [
            "Aviation", "Bookings", "CivilTime", "DeskShell", "FuzzKit", "Places", "Protocol",
            "ProtocolTestKit", "Text", "Venues",
        ]),
    fuzzer("fuzz", "Agent", fuzzedParts),
]

let agent: [Target] = [
    // The shell's own leaves: each names what it needs, and nothing else.
    .target(name: "Text", swiftSettings: strict),
    .target(
        name: "CivilTime", dependencies: ["Protocol", "Text"], swiftSettings: strict),
    .target(
        name: "System", dependencies: ["Protocol", "Text", "CLinux"],
        swiftSettings: strictWithC),
    .target(
        name: "Aviation", dependencies: ["Protocol", "CivilTime", "Profile", "System", "Text"],
        swiftSettings: strict),
    .target(
        name: "Profile", dependencies: ["CivilTime", "Protocol", "System", "Text"],
        swiftSettings: strict),
    .target(
        name: "Store",
        dependencies: ["Profile", "Protocol", "System", "Text", "CSQLite"],
        swiftSettings: strictWithC),
    .target(
        name: "Terminal", dependencies: ["Protocol", "System", "Text", "CLinux", "CNCurses"],
        swiftSettings: strictWithC),
    .target(
        name: "Trips",
        dependencies: [
            "Aviation", "CivilTime", "Profile", "Protocol", "System", "Text", "CAirports",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "Venues",
        dependencies: [
            "Aviation", "CivilTime", "Keys", "Profile", "Protocol", "System", "Text",
        ],
        swiftSettings: strict),
    .target(
        name: "Places", dependencies: ["Keys", "Profile", "Protocol", "System", "Text", "Venues"],
        swiftSettings: strict),
    .target(
        name: "Parking",
        dependencies: [
            "Bookings", "CivilTime", "Places", "Profile", "Protocol", "Text", "Trips", "Venues",
            "Wording",
        ],
        swiftSettings: strict),
    .target(
        name: "Owner",
        dependencies: ["Keys", "Parking", "Profile", "Protocol", "System", "Text"],
        swiftSettings: strict),
    .target(
        name: "Bookings",
        dependencies: ["CivilTime", "Profile", "Protocol", "Text", "Trips", "Venues"],
        swiftSettings: strict),
    .target(
        name: "DeskShell",
        dependencies: ["Bookings", "CivilTime", "Profile", "Protocol", "System", "Text", "Venues"],
        swiftSettings: strict),
    .target(
        name: "Transport",
        dependencies: ["Interfaces", "Keys", "Protocol", "System", "COpenSSL"],
        swiftSettings: strictWithC),
    .target(
        name: "ControlAPI",
        dependencies: [
            "Aviation", "CivilTime", "Profile", "Protocol", "System", "Text", "Trips", "CCommit",
            "CLinux",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "Wording",
        dependencies: [
            "Aviation", "Bookings", "CivilTime", "ControlAPI", "Profile", "Protocol", "Text",
            "Trips", "Venues",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "Grammar",
        dependencies: [
            "Aviation", "CivilTime", "ControlAPI", "Profile", "Protocol", "Text", "Trips",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "Notify",
        dependencies: [
            "ControlAPI", "Profile", "Protocol", "System", "Text", "Wording",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "Launch",
        dependencies: [
            "Aviation", "CivilTime", "ControlAPI", "Profile", "Protocol", "System", "Text", "Trips",
            "Venues",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "Boarding",
        dependencies: ["Aviation", "CivilTime", "Protocol", "System", "Text", "CLinux"],
        swiftSettings: strictWithC),
    .target(
        name: "PassReader", dependencies: passParts,
        swiftSettings: strictWithC + withPictures),
    .target(name: "Interfaces", swiftSettings: strict),
    .target(name: "Web", dependencies: ["Protocol"], swiftSettings: strict),
    .target(name: "Rendezvous", dependencies: ["Protocol"], swiftSettings: strict),
    .target(
        name: "Brokers",
        dependencies: [
            "Profile", "Protocol", "Rendezvous", "System", "Text", "Transport", "CLinux",
            "CMosquitto", "COpenSSL",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "PageShell",
        dependencies: [
            "Aviation", "Boarding", "CivilTime", "ControlAPI", "Keys", "Profile", "Protocol", "QR",
            "System", "Text", "Web", "CGnuTLS", "CMicroHTTP", "CPage",
        ],
        swiftSettings: strictWithC),
    .target(name: "QR", dependencies: ["CQREncode"], swiftSettings: strictWithC),
    .target(
        name: "Keys", dependencies: ["Protocol", "CSodium"], swiftSettings: strictWithC),
    .target(
        name: "Doctor",
        dependencies: [
            "Brokers", "CivilTime", "ControlAPI", "Discovery", "Interfaces", "Protocol",
            "Rendezvous", "System", "Text", "Transport", "CLinux",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "GeoClue", dependencies: ["Protocol", "System", "Text", "CDBus"],
        swiftSettings: strictWithC),
    .target(
        name: "Agent",
        dependencies: [
            "Aviation", "Bookings", "Brokers", "CivilTime", "ControlAPI", "DeskShell", "Discovery",
            "Doctor", "GeoClue", "Grammar", "Interfaces",
            "Keys", "Launch", "Notify", "Profile", "Protocol", "Rendezvous", "Store", "System",
            "Text", "Transport", "Trips", "Venues", "Wording", "CLinux", "COpenSSL", "CSQLite",
            "CSodium",
        ],
        swiftSettings: strictWithC),
    .target(
        name: "View",
        dependencies: [
            "Aviation", "Bookings", "CivilTime", "ControlAPI", "Grammar", "Launch", "Notify",
            "Profile", "Protocol", "System", "Terminal", "Text", "Venues", "Wording", "CLinux",
        ],
        swiftSettings: strictWithC),
    // The table of airports, which is compiled in as it is.
    .target(name: "CAirports", exclude: ["LICENSE", "airports.txt"]),
    // The page for browsers, compiled in: `#embed` reads the files beside it.
    .target(name: "CPage", exclude: ["page"], linkerSettings: [.linkedLibrary("z")]),
    // The only target that a new commit compiles again.
    .target(
        name: "CCommit", cSettings: [.define("SEATAGENT_COMMIT", to: "\"\(commit)\"")]),
    // Its headers lie where only pkg-config finds them.
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1"),
    .systemLibrary(name: "CDNSSD"),
    .systemLibrary(name: "CGnuTLS"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CMicroHTTP"),
    .systemLibrary(name: "CMosquitto"),
    .systemLibrary(name: "CNCurses"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CQREncode"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CSodium"),
    .systemLibrary(name: "CZip"),
    .target(name: "Protocol", swiftSettings: strict),
    .target(
        name: "Discovery", dependencies: ["Protocol", "CDNSSD"], swiftSettings: strictWithC),
]

let package = Package(
    name: "seatagent",
    products: isFuzzing
        ? []
        : [
            .executable(name: "seatagent", targets: ["SeatAgent"]),
            .executable(name: "seatagentd", targets: ["seatagentd"]),
            .executable(name: "seatagent-pass", targets: ["seatagent-pass"]),
            .executable(name: "seatagent-web", targets: ["seatagent-web"]),
            // What a program of somebody else's depends on: examples/embed shows it.
            .library(name: "Protocol", targets: ["Protocol"]),
        ],
    targets: agent + pictures + kits + (isFuzzing ? fuzzers : ordinary),
    cxxLanguageStandard: .cxx20
)
