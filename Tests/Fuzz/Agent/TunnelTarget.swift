// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

@testable import Rendezvous

/// Tunnels through a broker: bodies and OPENs have one form, what is bent is nothing, and whatever
/// the other passengers and the broker do, the tunnels of an agent keep their rules.
///
/// Input: what it is meant to be, then a body, the plain half of an OPEN, the body of a frame with
/// what is bent of it, or decisions of a hostile broker and hostile passengers.
enum TunnelTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        switch kind % 4 {
        case 0: return body(rest)
        case 1: return opening(rest)
        case 2: return frame(rest)
        default:
            var stage = TunnelStage()
            return stage.play(rest)
        }
    }

    private static func body(_ bytes: [UInt8]) -> Verdict {
        guard let body = try? TunnelBody(decoding: bytes) else { return .refused }
        hold(body.encoded == bytes, "two encodings of one body")
        if case .data(let data) = body {
            hold((1...TunnelLimits.piece).contains(data.count), "data of too many bytes")
        }
        if case .took(let count) = body {
            hold((1...TunnelLimits.window).contains(count), "more than can be under way")
        }
        return .accepted
    }

    // MARK: OPEN

    private static let lax = LaxPrimitives.shared
    private static let ada = TunnelPerson(1)
    private static let bo = TunnelPerson(2)
    private static let head: [UInt8] = [TunnelOpening.version] + id + LaxAgreement(3).key.bytes
    private static let id = [UInt8](repeating: 7, count: TunnelID.count)

    private static func read(_ bytes: [UInt8]) -> TunnelOpening? {
        TunnelOpening(bytes, to: bo.key, own: bo.pair, lax) { $0 == ada.key ? ada.pair.key : nil }
    }

    /// The bytes as they are, and as what Ada says in an OPEN to Bo.
    private static func opening(_ bytes: [UInt8]) -> Verdict {
        hold(read(bytes) == nil, "something opens that nobody sealed")
        guard let first = LaxAgreement(3).agree(with: bo.pair.key),
            let second = ada.pair.agree(with: bo.pair.key)
        else { broken("two pairs do not agree") }
        let salt = Array("seatswap/meet/tunnel".utf8)
        let none = [UInt8](repeating: 0, count: 24)
        let name = lax.hkdfSHA256(
            salt: salt, material: first.bytes, info: Array("from".utf8) + head, count: 32)
        let info = Array("keys".utf8) + head + ada.key.bytes + bo.key.bytes
        let keys = lax.hkdfSHA256(
            salt: salt, material: first.bytes + second.bytes, info: info, count: 96)
        guard let name = Bytes32(name), let key = Bytes32(Array(keys.prefix(32))),
            let opener = lax.seal(ada.key.bytes, with: head, key: name, nonce: none),
            let sealed = lax.seal(bytes, with: head + opener, key: key, nonce: none)
        else { broken("an OPEN cannot be sealed") }
        guard let found = read(head + opener + sealed) else { return .refused }
        var writer = CBORWriter(capacity: 64)
        writer.array(3)
        writer.uint(1)
        writer.value(bo.key)
        writer.uint(Int(found.made.seconds))
        hold(writer.bytes == bytes, "two encodings of one OPEN")
        hold(found.from == ada.key && found.id.bytes == id, "it is somebody else's")
        return .accepted
    }

    // MARK: Frames

    /// A body that is sealed as a frame, opened, and opened when it is bent or cut.
    private static func frame(_ bytes: [UInt8]) -> Verdict {
        var choices = Choices(bytes)
        let seq = UInt32(choices.wide()) << 16 | UInt32(choices.wide())
        let (place, bit) = (choices.wide(), UInt8(1) << (choices.byte() & 7))
        let plain = choices.rest()
        let key = lax.sha256([bit])
        let big = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: seq >> $0) }
        let header = [TunnelFrame.version] + id + big
        let nonce = [UInt8](repeating: 0, count: 20) + big
        guard let sealed = lax.seal(plain, with: header, key: key, nonce: nonce) else {
            broken("a frame cannot be sealed")
        }
        func open(_ bytes: [UInt8]) -> TunnelBody? {
            guard let (_, seq) = TunnelFrame.place(bytes) else { return nil }
            return TunnelFrame.open(bytes, seq: seq, key: key, lax)
        }
        hold(open(bytes) == nil, "something opens that nobody sealed")
        let frame = header + sealed
        var bent = frame
        bent[place % bent.count] ^= bit
        hold(open(bent) == nil, "it opens with a bit bent")
        hold(open(Array(frame.dropLast(1 + place % frame.count))) == nil, "it opens when it is cut")
        hold(open(frame + [bit]) == nil, "it opens with a byte behind it")
        guard let body = open(frame) else { return .refused }
        hold(seq > 0, "a frame with number 0")
        hold(body == (try? TunnelBody(decoding: plain)), "it says something else")
        return .accepted
    }
}

/// Somebody with a key and a pair.
struct TunnelPerson {
    let key: PeerKey
    let pair: LaxAgreement

    init(_ number: UInt8) {
        key = PeerKey(LaxPrimitives.shared.sha256([9, number]))
        pair = LaxAgreement(number)
    }
}

/// What two pairs agree on as anybody could know it, at once: the curve is not what is tried.
struct LaxAgreement: KeyAgreement {
    let key: Bytes32

    init(_ number: UInt8) { key = LaxPrimitives.shared.sha256([8, number]) }
    private init(key: Bytes32) { self.key = key }

    func agree(with other: Bytes32) -> Bytes32? {
        guard other != .zero else { return nil }
        let both = [key.bytes, other.bytes].sorted { $0.lexicographicallyPrecedes($1) }
        return LaxPrimitives.shared.sha256(both[0] + both[1])
    }

    func seal(_ plain: [UInt8], for other: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        agree(with: other).flatMap {
            LaxPrimitives.shared.seal(plain, with: [], key: $0, nonce: nonce)
        }
    }

    func open(_ box: [UInt8], from other: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        agree(with: other).flatMap {
            LaxPrimitives.shared.open(box, with: [], key: $0, nonce: nonce)
        }
    }

    func pair(seed: Bytes32) -> (any KeyAgreement)? {
        LaxAgreement(key: LaxPrimitives.shared.sha256(seed.bytes))
    }
}
