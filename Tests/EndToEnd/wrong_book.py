# SPDX-License-Identifier: Apache-2.0
"""Wrong ways to read docs/protocol.md section 32.

A reading is a name, and pairs of a text of second_book.py or second_ledgers.py and what stands in
its place.
"""

import re

#: Of the book.
BOOKS = [
    ("full: no turnover", "grant.begin + grant.minutes + turnover", "grant.begin + grant.minutes"),
    ("full: turnover behind the others only", "token.begin < new.free]",
     "token.begin < new.begin + new.grant.minutes]"),
    ("full: one is taken, whatever the count", "unit: amount * grant.count", "unit: amount"),
    ("full: one fewer", "> new.rules.units[unit]", ">= new.rules.units[unit]"),
    ("full: at the begin alone", "if new.begin <= token.begin < new.free]", "if False]"),
    ("full: also at its end", "token.begin < new.free]", "token.begin <= new.free]"),
    ("full: also at the end of others", "minute < token.free)", "minute <= token.free)"),
    ("full: all that overlaps at once", "if token.begin <= minute < token.free)",
     "if token.begin < new.free and new.begin < token.free)"),
    ("full: ended ones too", "for token in self.tokens.values() if token.is_live()]\n        for",
     "for token in self.tokens.values()]\n        for"),
    ("full: blocked ones have no capacity", "        for unit, amount in new.amounts.items():",
     "        for unit, amount in new.amounts.items() if new.grant.flags < 2 else ():"),
    ("quota: what is spent is free", "return self.end is None or self.end[2]",
     "return self.end is None"),
    ("quota: what ended counts", "return self.end is None or self.end[2]", "return True"),
    ("quota: of all days", "return grant.day, grant.member,", "return 0, grant.member,"),
    ("quota: of the day of the end", "return grant.day, grant.member,",
     "return (grant.begin + grant.minutes) // DAY, grant.member,"),
    ("quota: of each key", "None if grant.member else grant.holder", "grant.holder"),
    ("quota: of all without a number", "None if grant.member else grant.holder", "None"),
    ("quota: no flag sets it aside", "if new.grant.flags:", "if False:"),
    ("quota: flag 2 does not", "if new.grant.flags:", "if new.grant.flags & 1:"),
    ("quota: flag 1 does not", "if new.grant.flags:", "if new.grant.flags & 2:"),
    ("quota: flagged ones do not count", "if token.counts() and token.account()",
     "if not token.grant.flags and token.counts() and token.account()"),
    ("quota: of any group", "if group not in (None, new.group):", "if False:"),
    ("quota: null is no group", "if group not in (None, new.group):", "if group != new.group:"),
    ("quota: over all groups", "if group in (None, token.group)]", "if True]"),
    ("quota: one minute fewer", "one.count * one.minutes for one in of_group) > minutes",
     "one.count * one.minutes for one in of_group) >= minutes"),
    ("quota: minutes of one", "sum(one.count * one.minutes for", "sum(one.minutes for"),
    ("quota: grants, not bookings", "sum(one.count for one in of_group)", "len(of_group)"),
    ("quota: one booking fewer", "in of_group) > bookings", "in of_group) >= bookings"),
    ("quota: 0 minutes is none", "if minutes and sum(", "if sum("),
    ("quota: 0 bookings is none", "if bookings and sum(", "if sum("),
    ("class: that of the holder", "self.classes.get(token.grant.member, INFINITE)",
     "self.classes.get(self.numbers.get(token.grant.holder), INFINITE)"),
    ("class: without a note the first", "token.grant.member, INFINITE)", "token.grant.member, 0)"),
    ("class: one that is not there is the first", "else classes[-1]", "else classes[0]"),
    ("class: the last note", "self.classes.setdefault(first, rest[0])",
     "self.classes[first] = rest[0]"),
    ("class: only by a note with a key", "self.classes.setdefault(first, rest[0])",
     "rest[1] and self.classes.setdefault(first, rest[0])"),
    ("number: the last note", "self.numbers.setdefault(rest[1], first)",
     "self.numbers[rest[1]] = first"),
    ("number: any in the grant",
     "if self.numbers.get(grant.holder, grant.member) != grant.member:", "if False:"),
    ("number: 0 without a note", "self.numbers.get(grant.holder, grant.member) !=",
     "self.numbers.get(grant.holder, 0) !="),
    ("number: 0 will always do", "grant.holder, grant.member) != grant.member:",
     "grant.holder, grant.member) != grant.member != 0:"),
    ("rules: the first", "self.rules = entry.said.rules",
     "self.rules = self.rules or entry.said.rules"),
    ("period: not on the first day", "rules.first <= grant.day", "rules.first < grant.day"),
    ("period: not on the last day", "grant.day <= rules.last", "grant.day < rules.last"),
    ("period: past midnight of the last day", "grant.day <= rules.last",
     "grant.day <= rules.last + 1"),
    ("period: to midnight", "(rules.last + 1) + 360", "(rules.last + 1)"),
    ("period: a minute more", "(rules.last + 1) + 360", "(rules.last + 1) + 361"),
    ("period: a minute less", "(rules.last + 1) + 360", "(rules.last + 1) + 359"),
    ("asked: as often as it likes", "if grant.ask in self.granted:", "if False:"),
    ("asked: void grants too", "            why = self.void(entry)\n",
     "            why = self.void(entry)\n            self.granted.add(entry.said.ask or b'')\n"),
    ("asked: again once it ended", "if grant.ask in self.granted:",
     "if grant.ask and any(token.is_live() and token.grant.ask == grant.ask\n"
     "                             for token in self.tokens.values()):"),
    ("replaced: ended ones too", "if not all(token and token.is_live() for token in replaced):",
     "if not all(replaced):"),
    ("replaced: unknown ones too", "if not all(token and token.is_live() for token in replaced):",
     "replaced = [token for token in replaced if token and token.is_live()]\n        if False:"),
    ("replaced: it stays in the quota", "token.end = entry.id, 7, False",
     "token.end = entry.id, 7, True"),
    ("replaced: by void grants too", "                token.end = None\n",
     "                pass\n"),
    ("replaced: ends behind the tests",
     "        why = self.does_not_fit(Token(grant, rules, entry.id))\n",
     "        for token in replaced:\n            token.end = None\n"
     "        why = self.does_not_fit(Token(grant, rules, entry.id))\n"
     "        for token in replaced:\n            token.end = entry.id, 7, False\n"),
    ("close: ended ones again", "            if token and token.is_live():\n",
     "            if token:\n"),
    ("close: always spent", "entry.said.reason, entry.said.spent", "entry.said.reason, True"),
    ("close: never spent", "entry.said.reason, entry.said.spent", "entry.said.reason, False"),
    ("lot: any behind an announcement", "if self.lot != sha256(first):", "if self.lot is None:"),
    ("lot: several by one",
     "                self.lies.append(entry.id)\n            self.lot = None\n",
     "                self.lies.append(entry.id)\n"),
    ("lot: the first announcement", "self.lot = first", "self.lot = self.lot or first"),
    ("lot: announced in another ledger", "            self.lot = None\n            for entry in",
     "            for entry in"),
    ("lot: of the bytes themselves", "if self.lot != sha256(first):", "if self.lot != first:"),
    ("ready: known to the end, fork or not", "min(seq, self.logs.k(author) - 1)", "seq"),
    ("ready: the fork is known", "self.logs.k(author) - 1)", "self.logs.k(author))"),
    ("ready: what is not known is nothing", "self.logs.logs.get(author, [])) >=",
     "self.logs.logs.get(author, range(INFINITE))) >="),
    ("ready: one known log", "return all(len(", "return any(len("),
    ("ready: all", " and self.ready(leaders[ready])", ""),
    ("leader: the larger key", "epochs[epoch][0][1][1].said", "epochs[epoch][-1][1][1].said"),
    ("leader: the larger key counts", "leads = author == epochs[epoch][0][0]",
     "leads = author == epochs[epoch][-1][0]"),
    ("leader: all of the last epoch", 'if leads else (0, "rival")', 'if True else (0, "rival")'),
    ("before: of the last charter", "epochs[epoch][0][1][1].said",
     "[one.said for one in epochs[epoch][0][1] if one.type == CHARTER][-1]"),
    ("before: one entry fewer", "min(leaders[place + 1].before.get(author, 0),",
     "min(leaders[place + 1].before.get(author, 1) - 1,"),
    ("before: whole, if it is named", "min(leaders[place + 1].before.get(author, 0),",
     "min(INFINITE if author in leaders[place + 1].before else 0,"),
    ("before: whole, if it is not named", "min(leaders[place + 1].before.get(author, 0),",
     "min(leaders[place + 1].before.get(author, INFINITE),"),
    ("before: of the last epoch", "min(leaders[place + 1].before.get(author, 0),",
     "min(leaders[ready - 1].before.get(author, 0),"),
    ("before: leaders alone", "min(leaders[place + 1].before.get(author, 0),",
     "min(author == epochs[epoch][0][0] and leaders[place + 1].before.get(author, 0),"),
    ("order: the larger key first", "for author, log in epochs[epoch]:",
     "for author, log in epochs[epoch][::-1]:"),
    ("order: later epochs first", "for place, epoch in enumerate(numbers):",
     "for place, epoch in list(enumerate(numbers))[::-1]:"),
    ("owner: of live tokens alone", "return minted.grant.holder if minted else None",
     "return minted.grant.holder if minted and minted.is_live() else None"),
    ("owner: the ledger", "return minted.grant.holder if minted else None",
     "return min(self.logs.logs) if minted else None"),
    ("swaps: always", "token is None or token.rules.swaps == 0", "token is None"),
    ("swaps: by the rules of now", "return token.rules.swaps == 2 or",
     "return self.book.rules.swaps == 2 or"),
    ("swaps: without notes too", "classes[0] is not None and classes[0]", "classes[0]"),
    ("swaps: to any member", "and classes[0] == classes[1]", "and classes[1] is not None"),
    ("swaps: within a member", "return self.book.classes.get(self.book.numbers.get(key))",
     "return self.book.numbers.get(key)"),
    ("map: version 1", "return encode([2, rows,", "return encode([1, rows,"),
    ("map: live tokens alone", "for identifier in sorted(self.book.tokens):",
     "for identifier in sorted(one for one in self.book.tokens\n"
     "                                 if self.book.tokens[one].is_live()):"),
    ("map: in the order of the book", "for identifier in sorted(self.book.tokens):",
     "for identifier in self.book.tokens:"),
    ("map: first holders", "token.grant, self.last(token)",
     "token.grant, (token.grant.holder, token.id)"),
    ("map: nothing has ended", "not token.is_live()])", "False])"),
    ("map: without counts", "grant.count, holder", "holder"),
    ("map: minutes since 2000", "grant.day, grant.start,", "grant.begin,"),
]

#: Of entries and logs.
LEDGERS = [
    ("charter: not signed by the operator",
     "need(ed25519.verify(self.operator, said, entry.said.signature), \"signature\")", "pass"),
    ("charter: signed for any ledger", "gathering, author] + self.terms",
     "gathering, gathering] + self.terms"),
    ("charter: by another word", "seatswap/1 charter", "seatswap/1 venue"),
    ("charter: anywhere", 'need(entry.seq == 2, "body")', "pass"),
    ("charter: of another epoch", 'need(entry.said.epoch == charters[-1].epoch, "body")', "pass"),
    ("charter: of a later epoch", "entry.said.epoch == charters[-1].epoch",
     "entry.said.epoch >= charters[-1].epoch"),
    ("charter: of the same revision", "entry.said.revision > charters[-1].revision",
     "entry.said.revision >= charters[-1].revision"),
    ("charter: of any revision",
     'need(entry.said.revision > charters[-1].revision, "body")', "pass"),
    ("charter: compared with the first", "entry.said.revision > charters[-1].revision",
     "entry.said.revision > charters[0].revision"),
    ("grant: in any log", '            need(is_ledger(log), "body")', "            pass"),
    ("close: the ask is not verified",
     'need(entry.said.ask.is_signed(entry.flight), "signature")', "pass"),
    ("close: about any token", "and ask[1][0] == self.token and", "and"),
    ("close: for somebody", " and ask[2] is None", ""),
    ("close: any ask", "need(ask[0] == 1 and ask[1][0] == self.token and ask[2] is None)",
     "need(ask[0] != 1 or ask[1][0] == self.token and ask[2] is None)"),
    ("close: an ask with any reason", "(data is None) == (self.reason != 0)",
     "(data is not None or self.reason != 0)"),
    ("close: asked without an ask", "(data is None) == (self.reason != 0)",
     "(data is None or self.reason == 0)"),
    ("close: spent by a number", "type(self.spent) is bool and", ""),
    ("rules: the last day first", "number(self.last, self.first, 65535)",
     "number(self.last, 0, 65535)"),
    ("rules: units in any order", "ascending([one[0] for one in units])", "pass"),
    ("rules: places in any order", "ascending([one[0] for one in places])", "pass"),
    ("rules: uses in any order", "ascending([use[0] for use in uses])", "pass"),
    ("rules: units that are not there", 'need(unit in self.units, "unit")', "pass"),
    ("before: in any order", "ascending([one[0] for one in before])", "pass"),
    ("grant: replaces in any order",
     "ascending([blob(token, 32) for token in array(self.replaces, 0, 8)])",
     "[blob(token, 32) for token in array(self.replaces, 0, 8)]"),
    ("grant: small letters", " and currency.isupper()", ""),
    ("grant: digits", " and currency.isalpha()", ""),
    ("wish: of seats", "            read_wish(array(body, 5))",
     "            super().read(body, nested)"),
    ("wish: offered in any order",
     "ascending([blob(token, 32) for token in array(body[0], 0, 9)])",
     "[blob(token, 32) for token in array(body[0], 0, 9)]"),
    ("wish: wants in any order", "need(all(one < other for one, other in zip(order, order[1:])), ",
     "need(True, "),
    ("wish: a want twice", "need(all(one < other for", "need(all(one <= other for"),
    ("wish: groups come last", "-1 if group is None else group", "64 if group is None else group"),
    ("wish: sorted by time first",
     "return [place, -1 if group is None else group, *read_period(window)]",
     "return [*read_period(window), place, -1 if group is None else group]"),
    ("wish: a place and a group", 'need(place == 0, "group")', "pass"),
    ("types: claims", "need(self.type not in (2, 3, 9))", "need(self.type not in (3, 9))"),
    ("types: retracts", "need(self.type not in (2, 3, 9))", "need(self.type not in (2, 9))"),
    ("types: vouches", "need(self.type not in (2, 3, 9))", "need(self.type not in (2, 3))"),
]

#: Bounds that forms with nothing else wrong cannot show: what they would allow is refused by
#: another rule.
HIDDEN = {
    # As in flights: the vectors of entries show these.
    "number(version,", "number(self.seq,", "number(self.type,", "blob(payload,",
    "blob(self.flight,", "blob(self.author,", "blob(self.prev,", "blob(self.signature,",
    "array(votes,", "array(claims,", "array(body, 3)", "array(body, 2",
    # A body of 512 bytes makes no statement of 640, and no byte is none.
    "blob(data, 1, 640)",
    # What follows looks closer: the number of parts, the last day, or what a stay has.
    "array(ask, 1, 7)", "number(kind, 0, 0)", "number(self.first,",
}
#: As above, of a low bound alone.
HIDDEN_BELOW = {"array(units, 1, 256)", "blob(rules, 1, 6144)"}
BOUND = re.compile(r"\b(number|blob|array|text)\((\w+(?:\.\w+)?(?:\[\d\])*), (\d+)(?:, (\d+))?\)")


def off_by_one(source, narrow=False):
    """Each bound of a source one too wide (or too narrow): a name, and the changed source."""
    step = -1 if narrow else 1
    for found in BOUND.finditer(source):
        kind, what, low, high = found.groups()
        if any(found[0].startswith(hidden) for hidden in HIDDEN):
            continue
        low, high = int(low), int(high) if high else None
        wider = []
        above_only = found[0] in HIDDEN_BELOW
        if kind == "array" and high is None or kind == "blob" and high is None:
            wider = [(low - 1, low), (low, low + 1)] if not narrow else []
        else:
            if (narrow or low > 0) and not above_only:
                wider.append((low - step, high))
            wider.append((low, high + step))
        for a, b in wider:
            line = source.count("\n", 0, found.start()) + 1
            changed = f"{kind}({what}, {a}, {b})"
            yield (f"line {line}: {changed}, not {found[0]}",
                   source[:found.start()] + changed + source[found.end():])
