// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Tunnels through the brokers of a meeting (docs/meet.md section 8).
extension Meeting {
    /// The program wants something.
    mutating func tunnel(_ ask: TunnelAsk, _ effects: inout MeetEffects, at now: Moment) {
        var output = Tunnels.Output()
        switch ask {
        case .need(let keys):
            errands.needed = keys
            tunnels?.need(errands.all, at: now.instant)
        case .linked(let keys): tunnels?.linked = keys
        case .people(let blocked, let favoured):
            tunnels?.people(blocked: blocked, favoured: favoured, &output)
        case .write(let number, let bytes): tunnels?.write(number, bytes)
        case .close(let number): tunnels?.close(number, &output)
        }
        carryOut(output, &effects)
    }

    /// Something came to an inbox.
    mutating func cameTunnel(
        _ payload: [UInt8], to inbox: MeetBox, _ names: MeetNames, _ broker: MeetBroker,
        _ effects: inout MeetEffects, at now: Moment
    ) {
        guard inbox == ownInbox(in: names.epoch) else { return }
        var output = Tunnels.Output()
        let (passengers, keys) = (passengers, setup.keys)
        var stranger: PeerKey?
        tunnels?.came(payload, &output, at: now) { peer in
            let card = passengers.card(of: peer)
            if card == nil { stranger = peer }
            return card?.boxKey
        } way: { peer in
            Self.way(to: peer, by: broker, names, keys)
        }
        carryOut(output, &effects)
        // Their next OPEN comes in a moment, and by then their card may have been read.
        if let stranger, let index = home(broker),
            self.passengers.asks(forStranger: stranger, at: now.instant)
        {
            lookAt(stranger, index, at: now)
        }
    }

    private static func way(
        to peer: PeerKey, by broker: MeetBroker, _ names: MeetNames, _ keys: MeetKeys
    ) -> Tunnels.Way {
        let inbox = keys.inbox(of: peer, in: names.epoch)
        return Tunnels.Way(
            broker: broker, topic: MeetTopic.tunnel(inbox: inbox).text(in: names),
            epoch: names.epoch)
    }

    /// What is due: waits end, and who is needed is asked.
    mutating func tendTunnels(_ effects: inout MeetEffects, at now: Moment) {
        guard tunnels != nil else { return }
        runErrands(at: now)
        let epochs = MeetEpoch.followed(at: now.utc)
        var output = Tunnels.Output()
        tunnels?.keep(on: homes.filter(\.isUp).map(\.broker), &output)
        openTunnel(&output, at: now)
        tunnels?.tick(following: epochs, &output, at: now.instant)
        carryOut(output, &effects)
    }

    /// Sends what waits in tunnels and may go.
    mutating func sendOn(_ effects: inout MeetEffects, at now: Moment) {
        var output = Tunnels.Output()
        tunnels?.flush(&output, at: now.instant)
        carryOut(output, &effects)
    }

    /// Follows the own inbox, before anything is read: marks come back through it.
    mutating func followInbox(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        guard tunnels != nil else { return }
        let epochs = MeetEpoch.followed(at: now.utc)
        let broker = homes[index].broker
        for epoch in homes[index].tunnelled where !epochs.contains(epoch) {
            effects.asks.append(MeetAsk(broker, .unsubscribe(inboxFilter(epoch))))
        }
        for epoch in epochs where !homes[index].tunnelled.contains(epoch) {
            // Marks are messages of one's own.
            effects.asks.append(MeetAsk(broker, .subscribe(inboxFilter(epoch), token())))
        }
        homes[index].tunnelled = epochs
    }

    private mutating func inboxFilter(_ epoch: MeetEpoch) -> String {
        MeetFilter.tunnels(inbox: ownInbox(in: epoch)).text(in: names(of: epoch))
    }

    /// Asks one passenger who is needed and left a card. Where two homes are connected the tries go
    /// to one and the other in turn: the other agent may be at either.
    private mutating func openTunnel(_ output: inout Tunnels.Output, at now: Moment) {
        let connected = homes.filter(\.isUp).map(\.broker)
        guard !connected.isEmpty, let peer = tunnels?.due(at: now.instant),
            let card = passengers.card(of: peer), let tries = tunnels?.needs.tries(peer)
        else { return }
        let names = names(of: MeetEpoch(at: now.utc))
        let broker = connected[(tries - 1) % connected.count]
        let way = Self.way(to: peer, by: broker, names, setup.keys)
        tunnels?.open(to: peer, boxKey: card.boxKey, by: way, &output, at: now)
    }

    private mutating func carryOut(_ output: Tunnels.Output, _ effects: inout MeetEffects) {
        for frame in output.frames {
            let what = MeetAsk.What.publish(
                topic: frame.topic, payload: frame.payload, stay: nil, token())
            effects.asks.append(MeetAsk(frame.broker, what))
        }
        for case .begin(_, let peer, isOpener: true) in output.orders { errands.reached(peer) }
        effects.tunnels += output.orders
    }
}
