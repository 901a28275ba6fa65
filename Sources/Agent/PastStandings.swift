// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The names and seats of passengers at earlier times, from the flight's history.
struct PastStandings {
    private typealias Dated = (at: UTCTime, standing: Standing)

    /// In order of time: the standing before each thing that they wrote.
    private var before: [PeerKey: [Dated]] = [:]

    init(_ items: [TimelineItem]) {
        for item in items {
            guard let standing = item.standing else { continue }
            before[item.author, default: []].append((item.at, standing))
        }
        for key in Array(before.keys) {
            // What came within one second keeps its order.
            let inOrder = before[key]?.enumerated().sorted {
                ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
            }
            before[key] = inOrder?.map(\.element)
        }
    }

    /// The standing at that time; `nil` if nothing has come from them since, so that it is as now.
    func standing(of key: PeerKey, at time: UTCTime) -> Standing? {
        let later = later(than: time, of: key)
        return later.first?.standing
    }

    /// The standing when a request was made. What they wrote within the same second as a result of
    /// the request came after it, if they had the seats that they were to give.
    func standing(of key: PeerKey, at time: UTCTime, with seats: [Seat]) -> Standing? {
        let same = later(than: UTCTime(seconds: time.seconds &- 1), of: key)
            .prefix { $0.at <= time }
        let fitting = same.first { dated in
            !seats.isEmpty && seats.allSatisfy { dated.standing.seats?.contains($0) ?? false }
        }
        return fitting?.standing ?? standing(of: key, at: time)
    }

    private func later(than time: UTCTime, of key: PeerKey) -> ArraySlice<Dated> {
        guard let list = before[key] else { return [] }
        return list[list.partitionPoint { $0.at <= time }...]
    }
}

extension Passenger {
    /// Where they sat before a swap that others logged and they did not. The name is the present
    /// one.
    func standing(before moves: [(seat: Seat, from: PeerKey, to: PeerKey)]) -> Standing {
        let got = moves.filter { $0.to == key }.map(\.seat)
        let gave = moves.filter { $0.from == key }.map(\.seat)
        let kept = seats.filter { !got.contains($0) && !gave.contains($0) }
        return Standing(name: "", seats: (kept + gave).sorted())
    }
}
