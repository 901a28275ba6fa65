# SPDX-License-Identifier: Apache-2.0
"""A cabin full of strangers: dozens of agents on a network that loses and delays frames.

Every agent has a host of its own, with its own D-Bus and avahi-daemon. The forty are part of
`make soak`, the twenty-six of every run.
"""

import os
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from agent import Agent
from case import Case, for_soak
from waiting import TimeRanOut, until

DELAY, LOSS = 0.1, 5
MOST_LINKS = 16
#: Seconds until all are together: on two quiet cores one for each agent; machines may be busy.
GATHERED = 600
CONVERGED = 30
#: Why a swap ended for which a coordinator had waited in vain.
LATE = "not every agent signed in time"
BLAME = {"fork", "misbehaviour", "runs-twice", "key-runs-twice", "own-fork", "divergence"}


def seat(index):
    """Every sixth row, so that the crowd is spread over the plane."""
    return f"{index // 6 * 5 + 1}{'ABCDEF'[index % 6]}"


class Crowd(Case):
    slow = 200

    def test_twenty_six_agents_agree_with_few_links_each_and_nobody_is_blamed(self):
        self.crowd(int(os.environ.get("SEATAGENT_CROWD", 26)))

    @for_soak
    def test_forty_agents_agree_with_few_links_each_and_nobody_is_blamed(self):
        self.crowd(40)

    def crowd(self, count):
        self.late = 0
        names = [f"p{index:02}" for index in range(count)]
        cabin = self.cabin(*names, delay=DELAY, loss=LOSS)
        agents = [Agent(cabin[name], name, seat(index)) for index, name in enumerate(names)]
        self.pool = ThreadPoolExecutor(6)
        self.addCleanup(self.pool.shutdown)
        began = time.monotonic()
        list(self.pool.map(lambda agent: agent.board(), agents))
        watches = [agent.watch("trouble") for agent in agents]
        until("everybody knows everybody", lambda: self.all(
            agents, lambda agent: agent.call("status")["aboard"] == count - 1), GATHERED, pause=2)
        gathered = time.monotonic() - began
        self.swap(agents[0], agents[count - 1])
        self.swap(agents[1], agents[count // 2])
        self.ring(agents[2], agents[9], agents[count - 4])
        agents[5].leave()
        self.pool.submit(cabin.cut, agents[7].name).result()
        for agent in (agents[3], agents[11], agents[17]):
            agent.call("say", f"hello from {agent.name}")
        agents[12].call("rename", "somebody else")
        cabin.heal(agents[7].name)
        agents[5].board()
        agents[4].call("claim", "32F")
        changed = time.monotonic()
        texts = {f"hello from p{index:02}" for index in (3, 11, 17)}
        wanted = []

        def one_map():
            maps = self.each(agents, Agent.seats)
            wanted[:] = maps[:1]
            return all(one == maps[0] for one in maps) and "32F" in {
                place["seat"] for place in maps[0]["seats"]}
        until("all maps are one", one_map, CONVERGED + 15, pause=0.5)
        converged = time.monotonic() - changed
        until("all have read all", lambda: self.all(
            agents, lambda agent: texts <= set(agent.said())), 30, pause=1)
        self.report(cabin, agents, gathered, converged)
        self.assertLessEqual(converged, CONVERGED)
        troubles = [event for watch in watches for event in watch.events
                    if event.get("trouble") in BLAME or event.get("event") in BLAME]
        self.assertEqual(troubles, [])
        blamed = [peer for agent in agents[::5] for peer in agent.call("peers")["peers"]
                  if peer["forked"]]
        self.assertEqual(blamed, [])
        for watch in watches:
            watch.end()

    def each(self, agents, question):
        return list(self.pool.map(question, agents))

    def all(self, agents, question):
        return all(self.each(agents, question))

    def swap(self, one, other):
        def asked():
            one.call("swap", other.seat)
            number = other.incoming(40)
            other.call("accept", number, "--yes")
            return other, number
        self.signed(asked, {one.seat: other.name, other.seat: one.name}, one, other)

    def ring(self, first, second, third):
        def asked():
            answer = first.ask("propose", unverified=True, legs=[
                {"seat": first.seat, "to": second.name}, {"seat": second.seat, "to": third.name},
                {"seat": third.seat, "to": first.name}])
            self.assertTrue(answer["ok"], answer)
            for agent in (second, third):
                agent.call("accept", agent.incoming(40), "--yes")
            return first, answer["result"]["number"]
        self.signed(asked, {first.seat: second.name, second.seat: third.name,
                            third.seat: first.name}, first, second, third)

    def signed(self, asked, held, *agents):
        """They ask until all have signed: a coordinator waits five seconds for the others
        (docs/protocol.md section 17), which may be too few where many programs want two cores."""
        for _ in range(2):
            coordinator, number = asked()
            self.done(agents, held, lambda at=coordinator, of=number:
                      at.request(of).get("reason") == LATE)
            if coordinator.request(number).get("reason") != LATE:
                return
            self.late += 1
        self.fail(f"{coordinator.name} was late twice\n" + self.accounts(agents))

    def done(self, agents, held, is_late):
        """Waits until each of `agents` sees the seats `held`, or it was too late for them."""
        try:
            for agent in agents:
                until(f"{agent.name} sees {held}", lambda agent=agent: held.items()
                      <= agent.held().items() or is_late(), 60, pause=0.5)
        except TimeRanOut as ended:
            raise TimeRanOut(f"{ended}\n{self.accounts(agents)}") from ended

    def accounts(self, agents):
        return "\n".join(map(self.account, agents))

    @staticmethod
    def account(agent):
        """What an agent knows of a swap that did not come."""
        said = {words: agent.call(*words.split()) for words in ("status", "requests", "log")}
        linked = [peer["name"] for peer in agent.call("peers")["peers"] if peer["linked"]]
        return f"{agent.name}, linked with {linked}: {said}"

    def report(self, cabin, agents, gathered, converged):
        links = self.links(agents)
        sent = self.each(agents, lambda agent: agent.host.bytes_moved())
        memory = [agent.rss / 1024 for agent in agents]
        self.note = (
            f"{len(agents)} agents, {LOSS} % loss and {DELAY * 1000:.0f} ms by {cabin.made_bad_by}:"
            f" together in {gathered:.0f} s, {self.late} swaps asked for twice, one map"
            f" {converged:.1f} s after the last change,"
            f" links {min(links)} to {max(links)}, {statistics.median(sent) / 1e6:.1f} MB moved and"
            f" {statistics.median(memory):.0f} MiB resident each (at most {max(memory):.0f})")
        print(self.note, flush=True)
        if len(agents) > 24:
            # One too many may stay for ten seconds (docs/protocol.md section 23).
            until("no agent has links to spare",
                  lambda: max(self.links(agents)) <= MOST_LINKS, 20, pause=1)

    def links(self, agents):
        return [status["network"]["mesh"]["links"]
                for status in self.each(agents, lambda agent: agent.call("status"))]
