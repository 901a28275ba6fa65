// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol

/// Somebody whose agent is out of reach, as the view was told.
package struct Away: Hashable, Sendable {
    /// Their key.
    let key: String
    /// What was told.
    let event: ControlEvent
    /// When.
    let since: Instant
    /// Whether a line says so.
    var isSaid = false
}

/// People who go out of reach and come back: said once it lasts.
extension ViewState {
    /// How long somebody is out of reach before a line says so. Two agents that dial each other at
    /// once end one of their two links: that is over in a moment, and means nothing to people.
    static let awayPause = TimeSpan.seconds(3)
    private static let mostAway = 1000

    /// What a `peer` event says.
    mutating func reach(_ news: PeerNews, _ event: ControlEvent) {
        let key = news.who.key
        let index = away.firstIndex { $0.key == key }
        switch news.change {
        case .known(.away):
            // With a few links each, a link that ends says nothing about the passenger.
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

    /// Says who has been out of reach for long enough; called once a second.
    mutating func sayAway() {
        for index in away.indices where !away[index].isSaid {
            guard now - away[index].since >= Self.awayPause else { continue }
            away[index].isSaid = true
            happened(away[index].event)
        }
    }
}
