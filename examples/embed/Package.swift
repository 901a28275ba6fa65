// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// This folder stands in a clone of seatagent, so the clone is the repository that it depends on. A
/// package of your own names the address that you clone from:
///
///     .package(url: "https://host/path/seatagent.git", from: "0.3.0")
///     .product(name: "Protocol", package: "seatagent")
let clone = Context.packageDirectory.split(separator: "/").dropLast(2)

let package = Package(
    name: "embed",
    dependencies: [.package(url: "file:///" + clone.joined(separator: "/"), from: "0.3.0")],
    targets: [
        .executableTarget(
            name: "embed",
            dependencies: [.product(name: "Protocol", package: String(clone.last ?? ""))],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
