// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol

/// A passenger whose agent is out of reach, according to the agent.
package struct Away: Hashable, Sendable {
    /// Their key.
    let key: String
    /// The event that reported it.
    let event: ControlEvent
    /// Since when.
    let since: Instant
    /// Whether a line on the screen says so.
    var isSaid = false
}

/// Passengers who go out of reach and come back: reported once it lasts.
extension ViewState {
    /// How long a passenger is out of reach before a line says so. If two agents dial each other at
    /// the same time, one of the links ends: that is over in a moment, and means nothing to people.
    static let awayPause = TimeSpan.seconds(3)
    private static let mostAway = 1000

    /// Handles a `peer` event.
    mutating func reach(_ news: PeerNews, _ event: ControlEvent) {
        let key = news.who.key
        let index = away.firstIndex { $0.key == key }
        switch news.change {
        case .known(.away):
            // If everybody has only a few links, one that ends says nothing about the passenger.
            let isFull = status?.network.mesh.shape.known != .partial
            guard isFull, index == nil, away.count < Self.mostAway else { return }
            away.append(Away(key: key, event: event, since: now))
        case .known(.aboard):
            guard let index else { return }
            if away.remove(at: index).isSaid { happened(event) }
        case .known(.left):
            if let index { away.remove(at: index) }
            happened(event)
        case .known(.joined), .known(.renamed), .other: happened(event)
        }
    }

    /// Reports who has been out of reach for long enough; called once a second.
    mutating func sayAway() {
        for index in away.indices where !away[index].isSaid {
            guard now - away[index].since >= Self.awayPause else { continue }
            away[index].isSaid = true
            happened(away[index].event)
        }
    }
}
