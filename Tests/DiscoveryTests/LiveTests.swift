// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Discovery

/// These talk to a real avahi-daemon. `scripts/live-discovery.sh` makes hosts of its own for them.
private let isLive: Bool = {
    if getenv("SEATAGENT_LIVE_AVAHI") != nil { return true }
    print(
        "Discovery.LiveTests skipped: SEATAGENT_LIVE_AVAHI is not set; "
            + "scripts/live-discovery.sh sets it")
    return false
}()

private func monotonic() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * DiscoveryLimits.second + Int64(time.tv_nsec)
}

/// One turn of an event loop around some agents; at most until `end`.
private func turn(_ agents: [Discovery], until end: Int64) -> [[DiscoveryNotice]] {
    let deadlines = agents.compactMap(\.nextDeadline) + [end]
    let wait = max(0, (deadlines.min() ?? end) - monotonic())
    var polled = agents.flatMap(\.descriptors).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&polled, nfds_t(polled.count), Int32(clamping: wait / 1_000_000 + 1))
    for agent in agents {
        for entry in polled where entry.revents != 0 { agent.readable(entry.fd, now: monotonic()) }
        agent.tick(now: monotonic())
    }
    return agents.map { $0.drain() }
}

private func randomLabel() -> ServiceLabel {
    ServiceLabel(random: UInt64.random(in: .min ... .max))
}

@Suite(.enabled(if: isLive), .serialized) struct LiveTests {
    @Test func twoAgentsOnOneHostFindAndLoseEachOther() throws {
        let labels = [randomLabel(), randomLabel()]
        let agents = labels.enumerated().map { number, label in
            Discovery(options: DiscoveryOptions(port: 4001 + UInt16(number)), label: label)
        }
        let end = monotonic() + 30 * DiscoveryLimits.second
        for agent in agents { agent.start(now: monotonic()) }
        var sightings: [String: Sighting] = [:]
        while sightings.count < 2, monotonic() < end {
            for case .found(let sighting) in turn(agents, until: end).joined() {
                if labels.contains(where: { $0.text == sighting.label }) {
                    sightings[sighting.label] = sighting
                }
            }
        }
        for (number, label) in labels.enumerated() {
            let sighting = try #require(sightings[label.text])
            #expect(!sighting.addresses.isEmpty)
            #expect(sighting.addresses.allSatisfy { $0.port == 4001 + UInt16(number) })
        }
        agents[1].stop()
        #expect(agents[1].descriptors.isEmpty)
        var isLost = false
        while !isLost, monotonic() < end {
            isLost = turn([agents[0]], until: end)[0].contains(.lost(label: labels[1].text))
        }
        #expect(isLost)
        agents[0].stop()
    }

    /// Not a check of its own: prints what happens, for `scripts/live-discovery.sh` to judge. A
    /// line on standard input changes the network, its end ends the watch. Every turn of the loop
    /// that kept it longer than 20 ms is told as `slow`.
    @Test(.enabled(if: getenv("SEATAGENT_LIVE_WATCH") != nil))
    func watch() {
        let end = monotonic() + 300 * DiscoveryLimits.second
        let agent = Discovery(options: DiscoveryOptions(port: 4000), label: randomLabel())
        var line: [UInt8] = Array(repeating: 0, count: 64)
        agent.start(now: monotonic())
        while monotonic() < end {
            let deadline = min(agent.nextDeadline ?? end, end)
            var polled = (agent.descriptors + [0]).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let wait = max(0, deadline - monotonic())
            poll(&polled, nfds_t(polled.count), Int32(clamping: wait / 1_000_000 + 1))
            let woken = monotonic()
            for entry in polled where entry.revents != 0 && entry.fd != 0 {
                agent.readable(entry.fd, now: woken)
            }
            agent.tick(now: woken)
            for notice in agent.drain() { say(notice) }
            if let input = polled.last, input.revents != 0 {
                guard read(0, &line, line.count) > 0 else { break }
                agent.networkChanged(newLabel: randomLabel(), now: monotonic())
            }
            let kept = monotonic() - woken
            if kept > DiscoveryLimits.second / 50 { tell("slow \(kept / 1_000_000) ms") }
        }
        agent.stop()
    }

    private func say(_ notice: DiscoveryNotice) {
        let time = monotonic() / 1_000_000
        switch notice {
        case .registered(let label): tell("\(time) registered \(label)")
        case .found(let sighting):
            let places = sighting.addresses.map(\.description).joined(separator: " ")
            tell("\(time) found \(sighting.label) \(places)")
        case .lost(let label): tell("\(time) lost \(label)")
        case .trouble(let trouble):
            tell("\(time) trouble \(trouble.what) / \(trouble.why) / \(trouble.remedy)")
        case .recovered: tell("\(time) recovered")
        case .ownSeen(let interface): tell("\(time) own label on \(interface)")
        case .ownHost(let name): tell("\(time) own host \(name)")
        }
    }

    private func tell(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        _ = write(1, bytes, bytes.count)
    }
}
