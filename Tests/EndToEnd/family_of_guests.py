# SPDX-License-Identifier: Apache-2.0
"""Three guests who travel together and sit apart, and two strangers who would change seats."""

import time


class Family:
    """The first five of some pages: who comes in takes these seats."""

    #: Three of a family, of whom the first will ask, and two who sit beside the second.
    SEATS = ["24F", "20A", "26F", "20B", "20C"]

    def __init__(self, pages):
        self.members = pages[:3]
        self.strangers = pages[3:5]
        #: From the first word until everybody who changes sees the new seats.
        self.seconds = None
        self.error = None

    def sit_together(self):
        """A party by code, wishes, a plan and a yes of each."""
        begin = time.monotonic()
        try:
            self.unite()
            for stranger, seat in zip(self.strangers, ("24F", "26F")):
                stranger.do("wish", words=seat)
            answering = {page.do("status")["me"]["key"]: page
                         for page in [*self.members, *self.strangers]}
            asked = self.propose(set(answering))
            for key, page in answering.items():
                if key in asked and page is not self.members[0]:
                    self.agree(page)
            wait("the family sits together", lambda: {
                seat for page in self.members for seat in page.do("status")["me"]["seats"]
            } == {"20A", "20B", "20C"})
            self.seconds = time.monotonic() - begin
        except (AssertionError, ValueError, OSError) as error:
            self.error = str(error)

    def unite(self):
        first, *others = self.members
        code = first.do("party-new")["code"]
        for page in others:
            page.do("party-join", code=code)
        for page in self.members:
            people = wait("all are candidates", lambda page=page: self.candidates(page))
            for who in people:
                page.do("party-answer", who=who["key"], companion=True)
        for page in self.members:
            wait("all are companions", lambda page=page: len(
                [one for one in page.do("party")["companions"] if one["here"]]) == len(others))

    def candidates(self, page):
        found = page.do("party")["candidates"]
        return found if len(found) == len(self.members) - 1 else None

    def propose(self, answering):
        """Asks for the first plan that puts all three beside each other and needs the yes of those
        alone who are `answering`; whose yes it needs. Before the strangers' wishes have arrived,
        plans are found that need others."""
        first = self.members[0]

        def found():
            try:
                plans = first.do("together")["plans"]
            except ValueError:
                return None
            # Who asks is one of those who change.
            return next((one for one in plans
                         if one["yours"] and one["together"] == len(self.members)
                         and who_changes(one) <= answering), None)
        plan = wait("a plan is found", found)
        legs = [{"seat": move["seat"], "to": move["to"]["key"],
                 **({} if move["from"].get("me") else {"from": move["from"]["key"]})}
                for move in plan["moves"]]
        first.do("propose", legs=legs, unverified=True)
        return who_changes(plan)

    @staticmethod
    def agree(page):
        def asked():
            return [one for one in page.do("requests")["requests"] if one["needs_answer"]]
        one = wait("somebody is asked", asked)[0]
        page.do("accept", request=one["number"], contract=one["contract"], unverified=True)


def who_changes(plan):
    """The keys of all who change seats in a plan."""
    return {who["key"] for move in plan["moves"] for who in (move["from"], move["to"])}


def wait(what, probe, seconds=30):
    """Asks again and again, as seldom as a page does."""
    end = time.monotonic() + seconds
    while True:
        found = probe()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.25)
