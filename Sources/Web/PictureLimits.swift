// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// When a picture of somebody who is not in yet may be read (docs/page.md section 5): one at a
/// time, few of an address, and never more than a quarter of one processor in the long run.
package struct PictureLimits<Place: Hashable & Sendable>: Sendable {
    /// Why a picture is not read now.
    package enum Refusal: Hashable, Sendable {
        /// Another one is being read, or was until just now.
        case busy
        /// From this address many have come.
        case tries
    }

    /// Pictures of one address within ten minutes.
    package static var triesOfAddress: Int { 8 }
    /// Addresses of which tries are counted.
    package static var addresses: Int { 1024 }
    /// For so many times as long as a picture took, no other is read.
    private static var rest: Int64 { 3 }

    private var tries: [Place: [Instant]] = [:]
    private var began: Instant?
    /// When the next one may be read.
    private var next: Instant?

    /// Nothing was read yet.
    package init() {}

    /// A picture comes. Gives why it is not read; otherwise ``end(at:)`` is called once it was.
    package mutating func begin(from place: Place, at now: Instant) -> Refusal? {
        guard began == nil, next.map({ now >= $0 }) ?? true else { return .busy }
        tries = tries.compactMapValues { times in
            let late = times.filter { now - $0 < .seconds(600) }
            return late.isEmpty ? nil : late
        }
        let own = tries[place, default: []]
        guard own.count < Self.triesOfAddress, !own.isEmpty || tries.count < Self.addresses else {
            return .tries
        }
        tries[place] = own + [now]
        began = now
        return nil
    }

    /// The picture was read, or cannot be.
    package mutating func end(at now: Instant) {
        guard let began else { return }
        self.began = nil
        let taken = max(0, (now - began).nanoseconds)
        next = now + TimeSpan(nanoseconds: taken.multipliedReportingOverflow(by: Self.rest).0)
    }
}
