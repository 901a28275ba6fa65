// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Linked agents in one venue.
func library(_ count: Int, page: VenuePage? = nil) throws -> World {
    var world = World()
    world.venue = MadeUpVenue.setup(page: page)
    for _ in 0..<count { try world.add("1A") }
    world.run(seconds: 2)
    return world
}

extension World {
    /// Places and how many are there, as each host that is up counts.
    var counts: [[[Int]]] {
        hosts.filter(\.isUp).map { host in
            host.node.venueView?.places.map { [$0.place, $0.people] } ?? []
        }
    }

    mutating func come(_ index: Int, to place: Int) -> Refusal? {
        wish(index, .stay(.checkIn(place, tag: nil)))?.refusal
    }

    mutating func leave(_ index: Int) -> Refusal? {
        wish(index, .stay(.checkOut))?.refusal
    }

    /// Gives `to` a frame as from `from`, with whom it is linked.
    mutating func say(_ message: VenueMessage, from: Int, to: Int) throws {
        let bytes = Message.venue(message).encode()
        feed(to, .received(try #require(link(from: from, to: to)), bytes))
    }

    /// As if so many had come to a host by the word of `from`; what it would pass on is lost.
    mutating func fill(_ index: Int, _ statements: [VenueStatement], from: Int) throws {
        let link = try #require(self.link(from: from, to: index))
        for one in statements {
            _ = hosts[index].node.venue?.stays.handle(
                .statement(one, from: link), at: now)
        }
    }

    /// Whose stays a host keeps.
    func known(_ index: Int) -> Int { hosts[index].node.venueView?.known ?? 0 }
}

/// Stays of so many made-up people.
func crowd(_ count: Int) -> [VenueStatement] {
    (0..<count).map { number in
        MadeUpVenue.statement(FakeSigner(number, seed: 5), 1, at: 1 + number % 3, since: 0)
    }
}
