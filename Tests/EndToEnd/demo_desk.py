# SPDX-License-Identifier: Apache-2.0
"""`make demo VENUE=rec` and `VENUE=castles`: a desk and two who book there, typed and shown in a
minute."""

import courts
import library
from courts import day
from demo_venue import Person
from waiting import until


def opened(cabin, value, *names):
    """A desk of a venue, and people who know it and have met the desk."""
    clerk, *guests = [Person(cabin[name], name) for name in ("desk", *names)]
    slug = value["slug"]
    given = library.sign(clerk.host, value, slug)
    print(f"\n{value['name']} signed a file with its places, hours and rules. Its desk opens, and "
          "everybody takes the file:")
    clerk.type("desk", "up", slug)
    for guest in guests:
        guest.type("venue", "add", given, "--yes")
        guest.type("venue", "open", slug, quiet=True)
    until("the desk is open", lambda: clerk.json("desk", "requests")["state"] == "open", 30)
    return clerk, guests


def code(booked):
    """The code in what was said of a booking."""
    return booked.partition(", code ")[2].split()[0]


def knows(guest, place, date, free):
    """Waits until somebody's copy of the ledger says so."""
    def seen():
        told = guest.json("venue", "show", guest.slug, date)
        return any(cell["day"] == date and row["name"] == place and cell["free"] == free
                   for table in told["tables"] for row in table["rows"] for cell in row["cells"])
    until(f"{guest.name} knows what is left", seen, 20, pause=0.2)


def rec(cabin):
    """A recreation centre: members join, book in words, wait, cancel and pay."""
    print("three hosts on one cable, each with its own avahi; no default route, no DNS, no server")
    clerk, (ada, bo) = opened(cabin, courts.words(swaps="all"), "ada", "bo")
    roster = f"{clerk.host.folder}/roster.csv"
    with open(roster, "w", encoding="utf-8") as file:
        file.write("mail,number\ns12345@nwmissouri.edu,919000001\n")
    clerk.type("desk", "members", "import", roster)
    ada.type("venue", "join", "rec", "--name", "Ada", "--mail", "s12345@nwmissouri.edu",
             "--number", "919000001")
    bo.type("venue", "join", "rec", "--name", "Bo", "--mail", "bo@example.org")
    print("\nThe first requests of a desk that has just opened wait 5 s for a lot:")
    ada.type("book", "Tennis 2", "tomorrow", "18:00", "2h", "--yes")
    print("\nOne court at one time for one person, by everybody's copy of the ledger:")
    bo.type("book", "Tennis 2", "tomorrow", "19:00", "--yes", refused=True)
    bo.type("book", "Tennis 2", "tomorrow", "19:00", "--yes", "--wait")
    ada.type("bookings", "cancel", "1", "--yes")
    until("bo has it", lambda: bo.json("bookings")["bookings"][0]["state"] == "booked", 20)
    bo.type("bookings")
    bo.type("venue", "show", "rec", day(1))
    mine = bo.json("bookings")["bookings"][0]["code"]
    clerk.type("desk", "paid", mine, "--by", "card")
    clerk.type("desk", "report")
    swapped(clerk, ada, bo)
    print("\ndemo: one desk decided, and every agent has checked what it wrote")


def swapped(clerk, ada, bo):
    """Two swap their hours while the desk is off; it learns of it when it is back."""
    ada.slug = bo.slug = "rec"
    ada.type("book", "Tennis 1", day(2), "18:00", "--yes", quiet=True)
    booked = bo.type("book", "Tennis 2", day(2), "18:00", "--yes", quiet=True)
    clerk.type("desk", "paid", code(booked), quiet=True)
    knows(ada, "Tennis 2", day(2), 0)
    knows(bo, "Tennis 1", day(2), 0)
    print("\nThe desk is switched off. What is booked may still change hands:")
    clerk.type("down", "--profile", "default_rec", quiet=True)
    mine = next(one for one in ada.json("bookings")["bookings"] if one["state"] == "booked")
    ada.type("bookings", "swap", str(mine["number"]), "Tennis 2", day(2), "18:00", "--yes")
    number = str(until("bo is asked", lambda: [
        one["number"] for one in bo.json("bookings", "requests")["swaps"]], 20)[0])
    bo.type("bookings", "requests")
    bo.type("bookings", "accept", number, "--yes")
    clerk.type("desk", "up", "rec", quiet=True)
    until("the desk knows", lambda: "done\n" in bo.type(
        "bookings", "requests", "--all", quiet=True), 20)
    bo.type("bookings", "requests", "--all")


def castles(cabin):
    """A shop that rents castles by the day, to who has a laptop and to who calls."""
    print("three hosts on one cable, each with its own avahi; no default route, no DNS, no server")
    clerk, (els, jan) = opened(cabin, courts.castles(), "els", "jan")
    els.slug = jan.slug = "dreamland"
    els.type("profile", "set", "mail", "els@example.org", quiet=True)
    print("\nThe first requests of a desk that has just opened wait 5 s for a lot:")
    booked = els.type("book", "2x", "Piraat", "tomorrow", "--yes")
    els.type("book", "Kasteel XL", "tomorrow", "--yes")
    knows(jan, "Kasteel XL", day(1), 0)
    print("\nThere are four pirates; behind a rental of the big one is a day for cleaning:")
    jan.type("venue", "show", "dreamland", day(1))
    jan.type("book", "Kasteel XL", day(2), "--yes", refused=True)
    print("\nSomebody without a laptop calls, and the desk prints a slip:")
    called = clerk.type("desk", "book", "Piraat", "tomorrow", "--for", "Mia Peeters",
                        "--mail", "mia@example.org")
    clerk.type("desk", "slip", code(called))
    print("\nAny laptop finds a booking by the address that it was made with:")
    knows(jan, "Piraat", day(1), 1)
    jan.type("bookings", "--mail", "els@example.org")
    jan.type("bookings", "--mail", "mia@example.org")
    print("\nWhat comes back late is kept from others:")
    clerk.type("desk", "handed", code(booked))
    clerk.type("desk", "late", code(booked), "+1d")
    knows(jan, "Piraat", day(2), 2)
    jan.type("venue", "show", "dreamland", day(1))
    print("\ndemo: no castle was promised twice, and nobody's address is in the ledger")
