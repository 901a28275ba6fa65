// SPDX-License-Identifier: Apache-2.0
// Written by scripts/cabins from the files in examples/venues/: change those.

/// The examples that come with the program, which then runs from any directory.
enum BundledVenues {
    /// The texts of the files, by the names of these.
    static let texts: [String] = [
        #"""
        {
          "version": 1,
          "slug": "rec",
          "name": "Northwest Rec Center",
          "about": "Courts and a sports hall. Sign in at the counter before you play.",
          "at": [40.353, -94.883],
          "zone": "America/Chicago",
          "volume": "month",
          "hours": {"Mo-Fr": "06:00-22:00", "Sa,Su": "10:00-20:00"},
          "closed": {"2026-12-25": "off: Christmas"},
          "groups": {
            "badminton": {"name": "Badminton"},
            "basketball": {"name": "Basketball"},
            "tennis": {"name": "Tennis"}
          },
          "units": {"hall": 2},
          "places": [
            {
              "id": 1,
              "name": "Tennis 1",
              "group": "tennis",
              "mode": "granted",
              "grain": 60,
              "max": 240
            },
            {
              "id": 2,
              "name": "Tennis 2",
              "group": "tennis",
              "mode": "granted",
              "grain": 60,
              "max": 240
            },
            {
              "id": 10,
              "name": "Basketball",
              "group": "basketball",
              "mode": "granted",
              "uses": {"hall": 2},
              "grain": 60,
              "max": 240
            },
            {
              "id": 11,
              "name": "Badminton A",
              "group": "badminton",
              "mode": "granted",
              "uses": {"hall": 1},
              "grain": 60,
              "max": 240
            },
            {
              "id": 12,
              "name": "Badminton B",
              "group": "badminton",
              "mode": "granted",
              "uses": {"hall": 1},
              "grain": 60,
              "max": 240
            }
          ],
          "classes": [
            {
              "name": "student",
              "mail": "S#####@nwmissouri.edu",
              "number": "919######",
              "proof": "roster",
              "quota": [{"minutes": 240, "bookings": 1}]
            },
            {"name": "guest", "quota": [{"minutes": 120, "bookings": 1}], "price": {"hour": 1000}}
          ],
          "money": {"currency": "USD", "link": "https://pay.example/rec?ref={code}", "payBy": -30},
          "rules": {
            "join": "form",
            "swaps": "class",
            "ahead": 14,
            "cancel": 120,
            "arrive": 15,
            "waiting": true,
            "together": 1
          }
        }
        """#,
        #"""
        {
          "version": 1,
          "slug": "maple-towers",
          "name": "Maple Towers",
          "address": "12 Main St",
          "at": [43.6535, -79.3839],
          "zone": "America/Toronto",
          "volume": "month",
          "building": "B7K2Q",
          "hours": {"Mo-Su": "00:00-24:00"},
          "places": [
            {
              "id": 1,
              "name": "Visitor bays",
              "mode": "granted",
              "count": 20,
              "grain": 1,
              "lengths": [60, 240, 720, 1440]
            }
          ],
          "classes": [{"name": "visitor", "quota": [{"bookings": 2}]}],
          "rules": {"join": "form", "ahead": 1, "member": "suite"}
        }
        """#,
        #"""
        {
          "version": 1,
          "slug": "dreamland/gent",
          "name": "DreamLand Gent",
          "about": "Bouncy castles by the day. We bring them within 20 km.",
          "zone": "Europe/Brussels",
          "volume": "year",
          "hours": {"Mo-Sa": "09:00-18:30"},
          "places": [
            {
              "id": 1,
              "name": "Piraat",
              "mode": "granted",
              "count": 4,
              "grain": 1440,
              "min": 1440,
              "max": 4320
            },
            {
              "id": 2,
              "name": "Kasteel XL",
              "mode": "granted",
              "grain": 1440,
              "max": 4320,
              "turnover": 1440,
              "note": "a day for cleaning behind each rental"
            }
          ],
          "classes": [{"name": "klant", "price": {"day": 8500}}],
          "money": {
            "currency": "EUR",
            "iban": "BE71096123456769",
            "payee": "DreamLand Gent",
            "payBy": -2880
          },
          "rules": {"join": "form", "swaps": "all", "ahead": 365, "cancel": 2880}
        }
        """#,
        #"""
        {
          "version": 1,
          "slug": "uva",
          "name": "UvA study places",
          "zone": "Europe/Amsterdam",
          "volume": "day",
          "hours": {"Mo-Fr": "08:30-22:00", "Sa,Su": "10:00-18:00"},
          "places": [
            {
              "id": 1,
              "name": "UB Singel",
              "address": "Singel 425",
              "at": [52.3681, 4.8889],
              "mode": "counted",
              "count": 120
            },
            {
              "id": 2,
              "name": "Law library",
              "address": "Nieuwe Achtergracht 166",
              "at": [52.3633, 4.9116],
              "hours": {"Mo-Fr": "09:00-20:00"},
              "mode": "counted",
              "count": 260,
              "card": true
            },
            {
              "id": 3,
              "name": "Science Park",
              "address": "Science Park 904",
              "at": [52.3553, 4.9576],
              "mode": "counted",
              "count": 180
            }
          ],
          "classes": [{"name": "everybody"}],
          "rules": {"join": "open"}
        }
        """#,
    ]
}
