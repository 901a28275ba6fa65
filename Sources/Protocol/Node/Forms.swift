// SPDX-License-Identifier: Apache-2.0
/// Forms for the desk of a venue (docs/protocol.md section 32): those that the user sent, and at a
/// desk those that came. Each is a row on the disk before it is sent or acknowledged.
struct Forms: Sendable {
    /// Oldest first.
    private(set) var records: [FormRecord]
    /// Links made for a purpose whose form was acknowledged, and when they end.
    private var leaving: [(link: LinkID, at: Instant)] = []
    private let me: PeerKey

    /// Goes on with what was stored.
    init(_ stored: [FormRecord], me: PeerKey) {
        self.me = me
        records = stored
    }

    /// When the next link is to end.
    var nextDeadline: Instant? { leaving.map(\.at).min() }

    /// Whether the desk does not have a form of the user's yet.
    var needsDesk: Bool { records.contains { $0.key.peer == me && $0.state == nil } }

    /// Links that end now.
    mutating func takeLeaving(at now: Instant) -> [LinkID] {
        let due = leaving.filter { $0.at <= now }.map(\.link)
        leaving.removeAll { $0.at <= now }
        return due
    }

    /// Has a link end soon.
    mutating func leave(_ link: LinkID, at now: Instant) {
        guard !leaving.contains(where: { $0.link == link }) else { return }
        leaving.append((link, now + Limits.formLink))
    }

    // MARK: Sending

    /// A new form of the user's; sent at once where the desk is known.
    mutating func write(
        _ form: VenueForm, to desk: PeerKey?, _ effects: inout PartEffects,
        random: inout SeededRandom, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard desk != me else { return .failure(.alreadySo) }
        let waiting = records.count { $0.key.peer == me && $0.isOpen }
        guard waiting < Limits.formsPerKey else { return .failure(.tooManyForms) }
        let key = FormKey(peer: me, id: ThreadID(random: &random))
        let record = FormRecord(key: key, form: form, at: now.utc, state: nil, text: "")
        records.append(record)
        effects.writes.append(.form(record))
        effects.changesNeeds = true
        if let desk { effects.messages.append((desk, .venue(.form(key.id, form)))) }
        return .success(.form(record))
    }

    /// A session with the desk is open, or somebody with whom one is open is the desk now: what it
    /// has not decided goes out again, in order.
    func resend(to desk: PeerKey) -> PartEffects {
        var effects = PartEffects()
        for record in records where record.key.peer == me && record.isOpen {
            effects.messages.append((desk, .venue(.form(record.key.id, record.form))))
        }
        return effects
    }

    /// The desk says what it makes of a form.
    mutating func acknowledged(_ id: ThreadID, _ state: FormState, _ text: String) -> PartEffects {
        var effects = PartEffects()
        let place = records.firstIndex { $0.key == FormKey(peer: me, id: id) }
        guard let place, records[place].isOpen, records[place].state != state else {
            return effects
        }
        records[place].state = state
        records[place].text = text
        changed(records[place], &effects)
        effects.changesNeeds = true
        return effects
    }

    /// The user drops a form of their own.
    mutating func drop(
        _ id: ThreadID, _ effects: inout PartEffects
    ) -> Result<IntentReply, Refusal> {
        let key = FormKey(peer: me, id: id)
        guard records.contains(where: { $0.key == key }) else { return .failure(.noSuchForm) }
        records.removeAll { $0.key == key }
        effects.writes.append(.forgetForm(key))
        effects.changesNeeds = true
        return .success(.done)
    }

    // MARK: At the desk

    /// A form came: kept once, answered every time. What there is no room for is neither: whoever
    /// sent it sees that it did not arrive.
    mutating func received(
        _ id: ThreadID, _ form: VenueForm, from peer: PeerKey, at now: Moment
    ) -> PartEffects {
        var effects = PartEffects()
        let key = FormKey(peer: peer, id: id)
        if let known = records.first(where: { $0.key == key }) {
            answer(known, &effects)
            return effects
        }
        guard form.kind != nil else {
            effects.messages.append((peer, .venue(.formAck(id, .unknown, text: ""))))
            return effects
        }
        let open = records.filter { $0.key.peer != me && $0.isOpen }
        guard open.count < Limits.forms,
            open.count(where: { $0.key.peer == peer }) < Limits.formsPerKey
        else { return effects }
        let record = FormRecord(key: key, form: form, at: now.utc, state: .kept, text: "")
        records.append(record)
        changed(record, &effects)
        answer(record, &effects)
        tidy(&effects)
        return effects
    }

    /// The people at the desk decide. What the form said is theirs from now on: only what became of
    /// it stays here.
    mutating func decide(
        _ key: FormKey, _ state: FormState, _ text: String, _ effects: inout PartEffects
    ) -> Result<IntentReply, Refusal> {
        guard text.utf8.count <= Limits.formAnswer else {
            return .failure(.tooLong(Limits.formAnswer))
        }
        guard let place = records.firstIndex(where: { $0.key == key && key.peer != me }) else {
            return .failure(.noSuchForm)
        }
        records[place].state = state
        records[place].text = text
        if state != .kept {
            records[place].form = VenueForm(number: records[place].form.number, fields: [])
        }
        changed(records[place], &effects)
        answer(records[place], &effects)
        return .success(.done)
    }

    /// Forgets all forms of a key.
    mutating func erase(of peer: PeerKey, _ effects: inout PartEffects) {
        for record in records where record.key.peer == peer {
            effects.writes.append(.forgetForm(record.key))
        }
        records.removeAll { $0.key.peer == peer }
    }

    private func answer(_ record: FormRecord, _ effects: inout PartEffects) {
        let state = record.state ?? .kept
        effects.messages.append(
            (record.key.peer, .venue(.formAck(record.key.id, state, text: record.text))))
    }

    /// A row changed: stored and told.
    private func changed(_ record: FormRecord, _ effects: inout PartEffects) {
        effects.writes.append(.form(record))
        effects.notices.append(.form(record))
    }

    /// Forgets the oldest that is decided, where there are too many.
    private mutating func tidy(_ effects: inout PartEffects) {
        guard records.count > Limits.formsKept,
            let oldest = records.firstIndex(where: { !$0.isOpen })
        else { return }
        effects.writes.append(.forgetForm(records[oldest].key))
        records.remove(at: oldest)
    }
}
