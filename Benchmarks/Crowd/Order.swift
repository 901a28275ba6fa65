// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What the crowd tells the agent under test, each at a simulated time in nanoseconds.
enum Order {
    case begin(seed: [UInt8], auth: Bytes32)
    case connected(link: Int, LinkFacts)
    case received(link: Int, [UInt8])
    case ended(link: Int)
    case dialFailed(Int)
    case tick
    /// Its passenger says something to everyone.
    case say
    /// Asks for a ``Scale`` in place of a ``Turn``.
    case weigh

    func parcel(at time: Int) -> Parcel {
        var parcel = Parcel()
        parcel.put(time)
        switch self {
        case .begin(let seed, let auth):
            parcel.put(0)
            parcel.put(seed)
            parcel.put(auth.bytes)
        case .connected(let link, let facts):
            parcel.put(1)
            parcel.put(link)
            parcel.put(Int(facts.role.rawValue))
            parcel.put(facts.peer.bytes)
            parcel.put(facts.exporter.bytes)
            parcel.put(Array(facts.remote.host.utf8))
            parcel.put(Int(facts.remote.port))
            parcel.put(facts.dial ?? -1)
        case .received(let link, let bytes):
            parcel.put(2)
            parcel.put(link)
            parcel.put(bytes)
        case .ended(let link):
            parcel.put(3)
            parcel.put(link)
        case .dialFailed(let dial):
            parcel.put(4)
            parcel.put(dial)
        case .tick: parcel.put(5)
        case .weigh: parcel.put(6)
        case .say: parcel.put(7)
        }
        return parcel
    }

    static func read(_ parcel: inout Parcel) -> (time: Int, order: Order)? {
        let time = parcel.number()
        switch parcel.number() {
        case 0:
            let seed = parcel.string()
            guard let auth = Bytes32(parcel.string()) else { return nil }
            return (time, .begin(seed: seed, auth: auth))
        case 1:
            let link = parcel.number()
            guard let role = FlightKey.Role(rawValue: UInt8(parcel.number())),
                let peer = PeerKey(parcel.string()), let exporter = Bytes32(parcel.string())
            else { return nil }
            let host = String(decoding: parcel.string(), as: UTF8.self)
            let remote = PeerAddress(host: host, port: UInt16(parcel.number()))
            let dial = parcel.number()
            let facts = LinkFacts(
                role: role, peer: peer, exporter: exporter, remote: remote,
                dial: dial < 0 ? nil : dial)
            return (time, .connected(link: link, facts))
        case 2: return (time, .received(link: parcel.number(), parcel.string()))
        case 3: return (time, .ended(link: parcel.number()))
        case 4: return (time, .dialFailed(parcel.number()))
        case 5: return (time, .tick)
        case 7: return (time, .say)
        default: return (time, .weigh)
        }
    }
}

/// What one order came to at the agent.
struct Turn {
    /// Nanoseconds of processor that the core took.
    var spent = 0
    /// When it wants to be called again; `nil` for never.
    var deadline: Int?
    /// Entries of others stored so far.
    var stored = 0
    var sends: [(link: Int, bytes: [UInt8])] = []
    var holds: [(link: Int, held: Bool)] = []
    var closes: [Int] = []
    var dials: [(number: Int, host: String)] = []
    /// What people would be warned of: nothing, in a cabin of honest agents.
    var troubles: [String] = []

    /// What goes to each link in this turn, as one transmission.
    var together: [Int: [UInt8]] {
        Dictionary(sends.map { ($0.link, $0.bytes) }, uniquingKeysWith: +)
    }

    var parcel: Parcel {
        var parcel = Parcel()
        for number in [spent, deadline ?? -1, stored, sends.count] { parcel.put(number) }
        for send in sends {
            parcel.put(send.link)
            parcel.put(send.bytes)
        }
        parcel.put(holds.count)
        for hold in holds {
            parcel.put(hold.link)
            parcel.put(hold.held ? 1 : 0)
        }
        parcel.put(closes.count)
        for link in closes { parcel.put(link) }
        parcel.put(dials.count)
        for dial in dials {
            parcel.put(dial.number)
            parcel.put(Array(dial.host.utf8))
        }
        parcel.put(troubles.count)
        for trouble in troubles { parcel.put(Array(trouble.utf8)) }
        return parcel
    }

    init() {}

    init(_ parcel: inout Parcel) {
        spent = parcel.number()
        let deadline = parcel.number()
        self.deadline = deadline < 0 ? nil : deadline
        stored = parcel.number()
        for _ in 0..<parcel.number() { sends.append((parcel.number(), parcel.string())) }
        for _ in 0..<parcel.number() { holds.append((parcel.number(), parcel.number() == 1)) }
        for _ in 0..<parcel.number() { closes.append(parcel.number()) }
        for _ in 0..<parcel.number() {
            dials.append((parcel.number(), String(decoding: parcel.string(), as: UTF8.self)))
        }
        for _ in 0..<parcel.number() {
            troubles.append(String(decoding: parcel.string(), as: UTF8.self))
        }
    }
}

/// The agent on the scale.
struct Scale {
    /// Kilobytes resident now, and at the most so far.
    var resident = 0
    var peak = 0
    /// Nanoseconds of processor that one fold of all logs takes.
    var fold = 0
    /// Entries and authors held, bytes of entries.
    var entries = 0
    var authors = 0
    var bytes = 0
    /// Digest of the map.
    var map: [UInt8] = []

    var parcel: Parcel {
        var parcel = Parcel()
        for number in [resident, peak, fold, entries, authors, bytes] { parcel.put(number) }
        parcel.put(map)
        return parcel
    }

    init() {}

    init(_ parcel: inout Parcel) {
        resident = parcel.number()
        peak = parcel.number()
        fold = parcel.number()
        entries = parcel.number()
        authors = parcel.number()
        bytes = parcel.number()
        map = parcel.string()
    }
}
