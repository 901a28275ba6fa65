// swift-tools-version: 6.2
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

/// What an agent that runs for hours shall not carry: modules that the compiler imports unasked, with
/// their libraries, and nobody here calls. In a section of its own a function that is not called is
/// left out, and those of a start can lie together.
let lean: [SwiftSetting] = [
    .unsafeFlags([
        "-Xfrontend", "-disable-implicit-concurrency-module-import",
        "-Xfrontend", "-disable-implicit-string-processing-module-import",
    ]),
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
]

/// How the agent is linked for others. Addresses in its data are packed, which the loader of glibc 2.36
/// reads, and its own functions are nobody else's.
/// See docs/decisions/0007-a-small-part-of-the-program.md.
let leanLink: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xlinker", "--no-export-dynamic",
        ], .when(configuration: .release))
]

/// One set of rules for all others: Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = strictWithC + [.enableUpcomingFeature("MemberImportVisibility")]

/// The first line of a file.
func firstLine(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 4096)
    let isRead = line.withUnsafeMutableBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { fgets($0.baseAddress, 4096, file) != nil }
    }
    return isRead ? String(decoding: line.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self) : nil
}

/// Where git keeps this clone's HEAD; `nil` in a tarball, also where that lies in another clone.
func gitFolder() -> String? {
    let place = Context.packageDirectory + "/.git"
    guard access(place, F_OK) == 0 else { return nil }
    // A work tree beside the clone has a file there, which names the folder.
    guard let line = firstLine(place), line.hasPrefix("gitdir: ") else { return place }
    let path = String(line.dropFirst(8))
    return path.hasPrefix("/") ? path : Context.packageDirectory + "/" + path
}

/// What `--version` says of the commit: see `Sources/CCommit/commit.cpp`.
let commit: [CXXSetting] = {
    guard let folder = gitFolder() else { return [.define("SEATAGENT_COMMIT", to: "\"\"")] }
    let digits = Context.gitInformation?.currentCommit.prefix(7) ?? ""
    return [
        .define("SEATAGENT_COMMIT", to: "\"\(digits)\""),
        .define("SEATAGENT_MOVES", to: "\"\(folder)/logs/HEAD\""),
    ]
}()

/// Pictures of boarding passes are read where ZXing and stb_image were found; the rest works without.
let hasZXing =
    Context.environment["SEATAGENT_PICTURES"] != "no"
    && ["/usr/include", "/usr/local/include"].contains { folder in
        access(folder + "/ZXing/ReadBarcode.h", R_OK) == 0
            && access(folder + "/stb/stb_image.h", R_OK) == 0
    }

/// The reader of pictures; made for speed in every build, since it looks at each pixel many times.
let pictures: [Target] =
    hasZXing
    ? [
        .target(
            name: "CZXing", cxxSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [.linkedLibrary("ZXing")])
    ] : []

/// What `#if PICTURES` asks for.
let withPictures: [SwiftSetting] = hasZXing ? [.define("PICTURES")] : []

/// Set by `scripts/fuzz`, to `all`: the agent becomes a library, and beside it stands a program for
/// libFuzzer. Or to `readers` or `passes`: only what reads bytes, or passes, is built. libFuzzer looks
/// at a counter of each branch in the program after each input, which takes longer than to read it.
let fuzzing = Context.environment["SEATAGENT_FUZZ"]

let agentParts: [Target.Dependency] =
    [
        "Protocol", "Discovery", "CAirports", "CCommit", "CLinux", "CNCurses",
        "COpenSSL", "CSQLite", "CSodium", "CZip",
    ] + (hasZXing ? ["CZXing"] : [])

/// What is no source in the folder of the fuzz targets.
let left = ["CCBOR", "Corpus", "Regressions", "fuzz.py", "seeds.py", "words.dict"]

let ordinary: [Target] = [
    .executableTarget(
        name: "SeatAgent", dependencies: agentParts,
        swiftSettings: strictWithC + withPictures + lean, linkerSettings: leanLink),
    // Measures, is not installed; has the agent's own cryptography by a link to its folder.
    .executableTarget(
        name: "crowd", dependencies: ["Protocol", "COpenSSL", "CSodium"],
        path: "Benchmarks/Crowd", swiftSettings: strictWithC),
    // Measures two ends of a link; has the agent's own loop and links by links to their folders.
    .executableTarget(
        name: "wire", dependencies: ["Protocol", "CLinux", "COpenSSL", "CSodium"],
        path: "Benchmarks/Wire", exclude: ["Loop/ChildProcess.swift"], swiftSettings: strictWithC),
    // Measures the core and its store beside what the machine allows, likewise.
    .executableTarget(
        name: "core", dependencies: ["Protocol", "COpenSSL", "CSodium", "CSQLite"],
        path: "Benchmarks/Core", swiftSettings: strictWithC),
    // The deterministic simulator: real cores in made-up time, and the program that runs seeds.
    .target(
        name: "Simulation", dependencies: ["Protocol"], path: "Tests/Simulation",
        swiftSettings: strict),
    .executableTarget(
        name: "seatsim", dependencies: ["Simulation"], path: "Tests/seatsim",
        swiftSettings: strict),
    .testTarget(
        name: "ProtocolTests", dependencies: ["Protocol", "Simulation"], swiftSettings: strict),
    .testTarget(name: "DiscoveryTests", dependencies: ["Discovery"], swiftSettings: strict),
    .testTarget(
        name: "SeatAgentTests",
        dependencies: ["SeatAgent", "Protocol", "Simulation", "COpenSSL", "CSQLite"],
        exclude: ["Vectors/boarding-passes.json", "Cabins/Pictures"],
        swiftSettings: strictWithC + withPictures),
    // The functions that are fuzzed, run over the inputs that are kept.
    .testTarget(
        name: "FuzzTests", dependencies: ["SeatAgent", "Protocol"], path: "Tests/Fuzz",
        exclude: left + ["Engine"],
        sources: ["Replay", "Targets"], swiftSettings: strict),
]

let fuzzed: [Target] = [
    .target(
        name: "SeatAgent", dependencies: agentParts, exclude: ["Main.swift"],
        swiftSettings: strictWithC + withPictures),
    .systemLibrary(name: "CCBOR", path: "Tests/Fuzz/CCBOR"),
    .executableTarget(
        name: "fuzz", dependencies: ["SeatAgent", "Protocol", "CCBOR"], path: "Tests/Fuzz",
        exclude: left + ["Replay"],
        sources: ["Engine", "Targets"], swiftSettings: strict),
]

let fuzzedReaders: [Target] = [
    .target(
        name: "Protocol",
        exclude: ["Records", "Session", "Fold", "Negotiation", "Node", "Overlay"],
        swiftSettings: strict),
    .systemLibrary(name: "CCBOR", path: "Tests/Fuzz/CCBOR"),
    .executableTarget(
        name: "fuzz", dependencies: ["Protocol", "CCBOR"], path: "Tests/Fuzz",
        exclude: left + ["Replay"],
        sources: ["Engine"]
            + [
                "FuzzTarget", "FramesTarget", "CBORTarget", "LibCBORTarget", "MessagesTarget",
            ].map { "Targets/\($0).swift" },
        swiftSettings: strict + [.define("READERS")]),
]

/// The text of passes alone.
let fuzzedPasses: [Target] = [
    .target(
        name: "Protocol",
        exclude: ["Records", "Session", "Fold", "Negotiation", "Node", "Overlay"],
        swiftSettings: strict),
    .target(
        name: "SeatAgent", dependencies: ["Protocol"],
        sources: [
            "BoardingBytes", "BoardingFields", "BoardingLeg", "BoardingPass", "BoardingRefusal",
            "FlightDate", "SeatField",
        ].map { "Boarding/\($0).swift" }
            + ["ExitCode", "JSON", "JSONReader", "RFC3339", "UserError"].map {
                "Control/\($0).swift"
            } + ["View/SafeText.swift"],
        swiftSettings: strictWithC),
    .executableTarget(
        name: "fuzz", dependencies: ["SeatAgent", "Protocol"], path: "Tests/Fuzz",
        exclude: left + ["Replay"],
        sources: ["Engine", "Targets/FuzzTarget.swift", "Targets/BoardingTarget.swift"],
        swiftSettings: strict + [.define("PASSES")]),
]

/// Set by `scripts/explore`: the core and the tests of its negotiation alone, made for speed.
let exploring = Context.environment["SEATAGENT_EXPLORE"] != nil

let explored: [Target] = [
    .target(name: "Protocol", swiftSettings: strict),
    .testTarget(
        name: "ProtocolTests", dependencies: ["Protocol"],
        sources: ["Negotiation", "Support"], swiftSettings: strict),
]

let agent: [Target] = [
    // The table of airports, which is compiled in as it is.
    .target(name: "CAirports", exclude: ["LICENSE", "airports.txt"]),
    // The only module that a new commit compiles again.
    .target(name: "CCommit", cxxSettings: commit),
    .systemLibrary(name: "CDNSSD"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CNCurses"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CSodium"),
    .systemLibrary(name: "CZip"),
    .target(name: "Protocol", swiftSettings: strict + lean),
    .target(name: "Discovery", dependencies: ["CDNSSD"], swiftSettings: strictWithC + lean),
]

let package = Package(
    name: "seatagent",
    products: fuzzing != nil || exploring
        ? [] : [.executable(name: "seatagent", targets: ["SeatAgent"])],
    targets: exploring
        ? explored
        : fuzzing == "readers"
            ? fuzzedReaders
            : fuzzing == "passes"
                ? fuzzedPasses : agent + pictures + (fuzzing != nil ? fuzzed : ordinary),
    cxxLanguageStandard: .cxx20
)
