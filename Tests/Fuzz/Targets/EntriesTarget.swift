import Protocol

/// What is read as an entry is written as the same bytes, and a log takes it if and only if it may stand there.
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
        case .known, .branches, .fork, .delayed: broken("nothing was there before")
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

/// What is read as a contract is the one encoding of its legs, and keeps the static rules.
///
/// Input: the contract.
enum ContractsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let primitives = LaxPrimitives.shared
        let contract: Contract
        do throws(DecodeError) {
            contract = try Contract(input, primitives: primitives)
        } catch {
            return .refused
        }
        let copy = Contract(
            flight: contract.flight, coordinator: contract.coordinator, nonce: contract.nonce,
            legs: contract.legs.reversed(), primitives: primitives)
        hold(copy?.bytes == input, "written as other bytes")
        hold(copy == contract && copy?.id == contract.id, "another contract")
        let parties = contract.parties
        hold(parties.contains(contract.coordinator), "a coordinator from outside")
        let slots = parties.flatMap(contract.slots)
        hold(slots.sorted() == contract.legs.map(\.slot).sorted(), "slots are lost")
        for party in parties {
            let gives = contract.slots(of: party).count
            let takes = contract.legs.count { $0.to == party }
            hold(gives == takes && gives > 0, "a party gives what it does not get")
        }
        return .accepted
    }
}
