// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every target of ours: Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // The CBOR reader borrows the bytes it reads (`~Escapable` over `RawSpan`).
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "seatagent",
    products: [.executable(name: "seatagent", targets: ["SeatAgent"])],
    targets: [
        .systemLibrary(name: "CDNSSD"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CSodium"),
        .target(name: "Protocol", swiftSettings: strict),
        .target(name: "Discovery", dependencies: ["CDNSSD"], swiftSettings: strict),
        .executableTarget(
            name: "SeatAgent",
            dependencies: ["Protocol", "Discovery", "CLinux", "COpenSSL", "CSQLite", "CSodium"],
            swiftSettings: strict),
        // Measures, is not installed; has the agent's own cryptography by a link to its folder.
        .executableTarget(
            name: "crowd", dependencies: ["Protocol", "CSodium"], path: "Benchmarks/Crowd",
            swiftSettings: strict),
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
            dependencies: ["SeatAgent", "Protocol", "COpenSSL", "CSQLite"],
            swiftSettings: strict),
    ]
)
