// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous
import RendezvousKit

/// Connections to brokers: ordered both ways, and as slow as the Internet.
extension SimWorld {
    /// Carries out what a host's meeting asks of a broker.
    func ask(_ host: SimHost, _ asked: MeetAsk) {
        guard let meets, let broker = meets.index(of: asked.broker) else { return }
        digest.add(asked)
        if case .connect = asked.what { return connect(host, broker, meets) }
        guard let number = host.met?.lines[broker] else { return }
        meets.lines[number].there = max(
            meets.lines[number].there, now + meets.lines[number].latency)
        if case .disconnect = asked.what { lose(number, meets) }
        agenda.note(
            .then { $0.take(asked.what, on: number, meets) }, at: meets.lines[number].there)
    }

    private func connect(_ host: SimHost, _ broker: Int, _ meets: MeetLife) {
        let isSkipped = broker == meets.homes.last && host.number == 0
        if options.sabotage == .skipsVisits, isSkipped { return }
        let latency = Int64.random(in: 3...80, using: &meets.random) * Self.millisecond
        let number = meets.lines.count
        meets.lines.append(
            MeetLine(
                host: host.number, process: host.process, broker: broker, latency: latency))
        host.met?.lines[broker] = number
        agenda.note(.then { $0.greet(number, meets) }, at: now + 2 * latency)
    }

    private func greet(_ number: Int, _ meets: MeetLife) {
        let line = meets.lines[number]
        guard failure == nil, line.isUp else { return }
        let broker = meets.brokers[line.broker]
        guard broker.isUp, broker.frozenUntil <= now, !meets.unplugged.contains(line.host) else {
            let wait = Int64.random(in: 20...9000, using: &meets.random) * Self.millisecond
            return tell(number, .down(broker.name), at: now + wait)
        }
        let view = broker.isSplit ? line.host % 2 : 0
        meets.lines[number].view = view
        meets.lines[number].isOpen = true
        meets.lines[number].openedAt = now
        meets.lines[number].held = boxLength(of: hosts[line.host].key, broker.views[view])
        totals.greetings += 1
        take(.connect, on: number, meets)
    }

    /// A broker gets something on a connection.
    private func take(_ what: MeetAsk.What, on number: Int, _ meets: MeetLife) {
        let line = meets.lines[number]
        guard failure == nil, line.isOpen else { return }
        let frozen = meets.brokers[line.broker].frozenUntil
        // One that is frozen gets it all at once when it thaws, in order.
        guard frozen <= now else {
            if line.waiting.isEmpty { agenda.note(.then { $0.thaw(number, meets) }, at: frozen) }
            return meets.lines[number].waiting.append(what)
        }
        thaw(number, meets)
        let host = hosts[line.host]
        var before = 0
        if case .publish(let topic, let payload, _?, let token) = what {
            if payload.isEmpty {
                before = boxLength(of: host.key, meets.brokers[line.broker].views[line.view])
            } else {
                meets.remember(topic, payload)
            }
            if options.sabotage == .losesBoxes, line.host == 0, meets.homes.last == line.broker {
                return tell(number, .stored(meets.brokers[line.broker].name, token), at: now)
            }
        }
        let heard = meets.brokers[line.broker].views[line.view].take(
            what, from: number, at: meets.utc(now))
        if before > 0 {
            let after = boxLength(of: host.key, meets.brokers[line.broker].views[line.view])
            checkCleared(host, from: before, to: after)
        }
        if case .disconnect = what { meets.lines[number].isOpen = false }
        spread(heard, from: line.broker, meets)
    }

    /// A broker gets what waited on a connection while it was frozen.
    func thaw(_ number: Int, _ meets: MeetLife) {
        let waiting = meets.lines[number].waiting
        meets.lines[number].waiting = []
        for what in waiting { take(what, on: number, meets) }
    }

    /// What a broker says to its clients, as far as it does.
    func spread(
        _ heard: [(client: Int, event: MeetEvent)], from broker: Int, _ meets: MeetLife
    ) {
        for (client, event) in heard where meets.lines[client].isOpen {
            if case .came(_, let topic, _) = event, meets.keepsBack(topic, at: broker) {
                totals.kept += 1
                continue
            }
            let line = meets.lines[client]
            meets.lines[client].back = max(line.back, now + line.latency)
            tell(client, event, at: meets.lines[client].back)
        }
    }

    private func tell(_ number: Int, _ event: MeetEvent, at time: Int64) {
        agenda.note(
            .then { world in
                guard let meets = world.meets, meets.lines[number].isUp else { return }
                let host = world.hosts[meets.lines[number].host]
                guard host.isUp, host.process == meets.lines[number].process else { return }
                if case .down = event { world.lose(number, meets) }
                world.meet(host, event)
            }, at: time)
    }

    /// The agent does not have a connection any more.
    private func lose(_ number: Int, _ meets: MeetLife) {
        let line = meets.lines[number]
        meets.lines[number].isUp = false
        let met = hosts[line.host].met
        if met?.lines[line.broker] == number { met?.lines[line.broker] = nil }
    }

    /// A connection is gone at the broker's end; the agent hears of it after a while.
    private func sever(_ number: Int, after wait: Int64, _ meets: MeetLife) {
        let line = meets.lines[number]
        meets.lines[number].isOpen = false
        _ = meets.brokers[line.broker].views[line.view].take(
            .disconnect, from: number, at: meets.utc(now))
        tell(number, .down(meets.brokers[line.broker].name), at: now + wait)
    }

    /// Severs all connections of a kind; the agents hear of it within so many milliseconds.
    func severAll(within most: Int64, _ meets: MeetLife, where isChosen: (MeetLine) -> Bool) {
        for number in meets.lines.indices where meets.lines[number].isOpen {
            guard isChosen(meets.lines[number]) else { continue }
            let wait = Int64.random(in: 1...most, using: &meets.random) * Self.millisecond
            sever(number, after: wait, meets)
        }
    }

    /// A process is gone. With `power` nothing that it asked for last arrives.
    func endMeeting(_ host: SimHost, power: Bool) {
        guard let meets, let met = host.met else { return }
        host.met = nil
        for broker in met.lines.keys.sorted() {
            guard let number = met.lines[broker] else { continue }
            let line = meets.lines[number]
            meets.lines[number].isUp = false
            guard line.isOpen else { continue }
            if power {
                sever(number, after: 0, meets)
            } else {
                agenda.note(
                    .then { $0.take(.disconnect, on: number, meets) }, at: max(line.there, now))
            }
        }
    }
}
