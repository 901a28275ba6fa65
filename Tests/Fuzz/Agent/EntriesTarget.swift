// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

/// What is read as an entry is written as the same bytes, and a log takes it if and
/// only if it may stand there.
///
/// Input: the entry.
enum EntriesTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let codec = EntryCodec(LaxPrimitives.shared)
        let entry: Entry
        do throws(DecodeError) {
            entry = try codec.decode(input)
        } catch {
            return .refused
        }
        check(entry, codec)
        for inner in entry.embedded { check(inner, codec) }

        let isSigned = ([entry] + entry.embedded).allSatisfy(codec.isSigned)
        var logs = LogSet()
        switch logs.insert(input, flight: entry.flight, codec: codec) {
        case .added(let taken):
            hold(taken == entry && entry.seq == 1, "another entry was taken")
            hold(isSigned, "an unsigned entry was taken")
            let again = logs.insert(input, flight: entry.flight, codec: codec)
            hold(again == .known(entry.author, 1), "not known the second time")
            hold(logs.seq(of: entry.author) == 1, "not in its log")
        case .gap(let author, let seq):
            hold(author == entry.author && seq == entry.seq && seq > 1, "no gap")
        case .refused(let fault):
            hold(fault != .signature || !isSigned, "a good signature was refused")
        case .known, .branches, .fork, .delayed, .leftOut: broken("nothing was there before")
        }
        let elsewhere = FlightID(LaxPrimitives.shared.sha256(entry.flight.bytes))
        var others = LogSet()
        let judged = others.insert(input, flight: elsewhere, codec: codec)
        hold(judged == .refused(.flight), "taken in another flight")
        return .accepted
    }

    /// Written again from what it says, it is the same, and so is its id.
    private static func check(_ entry: Entry, _ codec: EntryCodec) {
        let signer = KnownSignature(
            key: entry.author, signature: Array(entry.bytes[entry.signature]))
        let copy = try? codec.sign(
            entry.body, flight: entry.flight, seq: entry.seq, previous: entry.previous, by: signer)
        hold(copy?.bytes == entry.bytes, "written as other bytes")
        hold(copy?.id == entry.id && copy?.body == entry.body, "another entry")
        _ = codec.isSigned(entry)
    }
}
