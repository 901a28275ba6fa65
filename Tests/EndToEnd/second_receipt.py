# SPDX-License-Identifier: Apache-2.0
"""The text form of a receipt (docs/protocol.md section 19), for the second reader."""

import base64
import re

from second_reader import CLAIM, COMMIT, Bad, Entry, need

BEGIN, END = (f"-----{word} SEATAGENT CERTIFICATE-----" for word in ("BEGIN", "END"))


def tag(key):
    plain = base64.b32encode(key[:8]).decode().lower().rstrip("=")
    return f"#{plain[:4]}-{plain[4:8]}-{plain[8:]}"


def proven(certificates):
    """The commits, checked alone and together; the first is the swap."""
    commits = [Entry(data) for data in certificates]
    need(commits and all(one.type == COMMIT for one in commits), "certificate")
    need(len({one.flight for one in commits}) == 1, "flight")
    for commit in commits:
        need(all(one.is_signed() for one in [commit, *commit.inner]), "signature")
    contracts = {one.contract.cid: one.contract for one in commits}
    need(len(contracts) == len(commits), "one swap twice")
    reached, waiting = set(), [commits[0].contract.cid]
    while waiting:
        cid = waiting.pop()
        if cid in contracts and cid not in reached:
            reached.add(cid)
            waiting += [leg[1] for leg in contracts[cid].legs]
    need(reached == set(contracts), "a swap that its seats did not go through")
    return commits, contracts


def seat(leg, commits, contracts):
    """The row and letter of a leg: of the claim that it leads back to."""
    for _ in range(len(commits) + 1):
        token, producer, giver, _ = leg
        if token == producer:
            claims = [one for commit in commits for one in commit.claims
                      if one.id == token and one.author == giver and one.type == CLAIM]
            need(claims, "claim")
            return claims[0].seat
        earlier = contracts.get(producer)
        legs = [one for one in (earlier.legs if earlier else [])
                if one[0] == token and one[3] == giver]
        need(legs, "earlier swap")
        leg = legs[0]
    raise Bad("circle")


def made(flight, certificates):
    """The text that these certificates make. `flight` is what stands behind the label."""
    commits, contracts = proven(certificates)
    for commit in commits:
        for leg in commit.contract.legs:
            seat(leg, commits, contracts)
    contract = commits[0].contract
    moves = sorted((seat(leg, commits, contracts), leg[2], leg[3]) for leg in contract.legs)
    lines = ["Seat swap agreed by all passengers concerned. The crew decides.", "",
             f"Flight    {flight}"]
    for (row, letter), giver, taker in moves:
        label = f"{row}{chr(65 + letter)}"
        lines.append(f"{label:<10}from {tag(giver)} to {tag(taker)}")
    lines.append(f"Contract  {contract.cid.hex()}")
    for data in certificates:
        plain = base64.b64encode(data).decode()
        lines += ["", BEGIN, *re.findall(".{1,64}", plain), END]
    return "".join(line + "\n" for line in lines), commits[0].flight


def check(text, flight_id):
    """Throws Bad unless `text` is a receipt of the flight with that id."""
    text = text.replace("\r\n", "\n")
    text += "" if text.endswith("\n") else "\n"
    name = re.search("^Flight    (.*)$", text, re.M)
    need(name, "flight")
    bodies = re.findall(f"^{BEGIN}\n(.*?)^{END}$", text, re.M | re.S)
    certificates = [base64.b64decode(body.replace("\n", "")) for body in bodies]
    words, flight = made(name[1], certificates)
    need(words == text, "words")
    need(flight == flight_id, "another flight")
