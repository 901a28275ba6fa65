// SPDX-License-Identifier: Apache-2.0
// Written by scripts/cabins from the files in cabins/: change those.

/// The layouts that come with the program, which then runs from any directory.
enum BundledCabins {
    /// The texts of the files, by the names of these.
    static let texts: [String] = [
        #"""
        {
          "version": 1,
          "id": "easyjet-a319",
          "name": "easyJet A319, 156 seats",
          "operator": "easyJet",
          "type": "Airbus A319",
          "source": [
            "156 seats: ch-aviation.com; easyJet has a row 13: simpleflying.com 2025"
          ],
          "checkedOn": "2026-11",
          "sure": "partly",
          "note": [
            "unverified: that the exits over the wing are at rows 10 and 11",
            "in summers since 2022 some fly without row 26, with 150 seats"
          ],
          "cabins": [
            {
              "class": "economy",
              "rows": ["1-26"],
              "blocks": ["ABC", "DEF"]
            }
          ],
          "exitRows": [10, 11],
          "extraLegroom": [1, 10, 11],
          "bulkhead": [1]
        }
        """#,
        #"""
        {
          "version": 1,
          "id": "easyjet-a320",
          "name": "easyJet A320, 186 seats",
          "operator": "easyJet",
          "type": "Airbus A320",
          "source": [
            "186 seats, earlier 180: ch-aviation.com; a row 13: simpleflying.com 2025"
          ],
          "checkedOn": "2026-11",
          "sure": "partly",
          "note": [
            "unverified: that the exits over the wing are at rows 12 and 13, as on many",
            "those with 180 seats have no row 31"
          ],
          "cabins": [
            {
              "class": "economy",
              "rows": ["1-31"],
              "blocks": ["ABC", "DEF"]
            }
          ],
          "exitRows": [12, 13],
          "extraLegroom": [1, 12, 13],
          "bulkhead": [1]
        }
        """#,
        #"""
        {
          "version": 1,
          "id": "easyjet-a321neo",
          "name": "easyJet A321neo, 235 seats",
          "operator": "easyJet",
          "type": "Airbus A321neo",
          "source": [
            "235 seats: ch-aviation.com; easyJet has a row 13: simpleflying.com 2025"
          ],
          "checkedOn": "2026-11",
          "sure": "partly",
          "note": [
            "a guess: where the doors are, and which five of 240 seats are missing",
            "compare it with your own seat map before you trust it: seatagent cabin edit"
          ],
          "cabins": [
            {
              "class": "economy",
              "rows": ["1-40"],
              "blocks": ["ABC", "DEF"],
              "except": {
                "10": ["BC", "DE"],
                "27": ["BC", "DE"],
                "40": ["ABC", "DE"]
              }
            }
          ],
          "exitRows": [10, 11, 27, 28],
          "extraLegroom": [1, "11A", "11F", "28A", "28F"],
          "bulkhead": [1]
        }
        """#,
        #"""
        {
          "version": 1,
          "id": "klm-e190",
          "name": "KLM Cityhopper E190, 100 seats",
          "operator": "KLM Cityhopper",
          "type": "Embraer 190",
          "source": [
            "100 seats: aerotelegraph.com; A C D F: most E-jets"
          ],
          "checkedOn": "2026-11",
          "sure": "partly",
          "note": [
            "unverified: that there is no row 13, as at KLM, and so a row 26",
            "unverified: that the exits over the wing are at row 12",
            "108 seats were planned"
          ],
          "cabins": [
            {
              "class": "economy",
              "rows": ["1-12", "14-26"],
              "blocks": ["AC", "DF"]
            }
          ],
          "exitRows": [12],
          "extraLegroom": [1, 12],
          "bulkhead": [1]
        }
        """#,
        #"""
        {
          "version": 1,
          "id": "lufthansa-a350-900",
          "name": "Lufthansa A350-900, 293 seats",
          "operator": "Lufthansa",
          "type": "Airbus A350-900",
          "source": [
            "48 + 21 + 224 seats, rows 1-8, 12-15 and 16-42: seatcompare.ai",
            "2-2-2, 2-3-2 and 3-3-3 abreast: flightglobal.com, derstandard.at 2016-11"
          ],
          "checkedOn": "2026-11",
          "sure": "partly",
          "note": [
            "other A350s of Lufthansa have first class or other row numbers: look which it is",
            "no rows 13 and 17, as at Lufthansa; that makes the 21 seats of premium come out",
            "a guess: which ten seats of rows 27, 41 and 42 are missing, and the exit rows"
          ],
          "cabins": [
            {
              "class": "business",
              "rows": ["1-8"],
              "blocks": ["AC", "DG", "HK"]
            },
            {
              "class": "premium",
              "rows": [12, "14-15"],
              "blocks": ["AC", "DEG", "HK"]
            },
            {
              "class": "economy",
              "rows": [16, "18-42"],
              "blocks": ["ABC", "DEG", "HJK"],
              "except": {
                "27": ["", "DEG", ""],
                "41": ["AC", "DEG", "HK"],
                "42": ["AC", "DEG", "HK"]
              }
            }
          ],
          "exitRows": ["28A", "28B", "28C", "28H", "28J", "28K"],
          "extraLegroom": [16, "28A", "28B", "28C", "28H", "28J", "28K"],
          "nearToilet": [26, 41],
          "bulkhead": [1, 12, 16]
        }
        """#,
        #"""
        {
          "version": 1,
          "id": "ryanair-737-8-200",
          "name": "Ryanair 737-8-200, 197 seats",
          "operator": "Ryanair",
          "type": "Boeing 737-8-200",
          "source": [
            "197 seats; a door in row 28, none in front of 29A and 29F: aerotelegraph.com",
            "exit rows 16 and 17, no windows in rows 28 and 29: mallorcamagazin.com 2024-06"
          ],
          "checkedOn": "2026-11",
          "sure": "partly",
          "note": [
            "unverified: that row 1 has A, B and C only, and that there is no row 13",
            "a guess: that row 32 has no E and F (a seat for the crew is there), up to row 35"
          ],
          "cabins": [
            {
              "class": "economy",
              "rows": ["1-12", "14-35"],
              "blocks": ["ABC", "DEF"],
              "except": {
                "1": ["ABC", ""],
                "28": ["BC", "DE"],
                "32": ["ABC", "D"]
              }
            }
          ],
          "exitRows": [16, 17, 28, 29],
          "extraLegroom": [1, 16, 17, "29A", "29F"],
          "noWindow": ["29A", "29F"],
          "bulkhead": [1, "2D", "2E", "2F"]
        }
        """#,
        #"""
        {
          "version": 1,
          "id": "ryanair-737-800",
          "name": "Ryanair 737-800, 189 seats",
          "operator": "Ryanair",
          "type": "Boeing 737-800",
          "source": [
            "189 seats, no row 13, up to row 33, exits 1, 16 and 17: seat plans, several"
          ],
          "checkedOn": "2026-11",
          "sure": "partly",
          "note": [
            "unverified: that row 1 has A, B and C only; 189 seats fit that",
            "unverified: which seats have extra legroom besides rows 16 and 17",
            "11A has no window, though it is sold as a window seat"
          ],
          "cabins": [
            {
              "class": "economy",
              "rows": ["1-12", "14-33"],
              "blocks": ["ABC", "DEF"],
              "except": {
                "1": ["ABC", ""]
              }
            }
          ],
          "exitRows": [1, 16, 17],
          "extraLegroom": [1, "2D", "2E", "2F", 16, 17],
          "noWindow": ["11A"],
          "bulkhead": [1, "2D", "2E", "2F"]
        }
        """#,
        #"""
        {
          "version": 1,
          "id": "standard",
          "name": "32 rows of six seats",
          "type": "any with one aisle",
          "source": [
            "nobody: it is what is drawn when no layout was chosen"
          ],
          "checkedOn": "2026-11",
          "sure": "invented",
          "cabins": [
            {
              "class": "economy",
              "rows": ["1-32"],
              "blocks": ["ABC", "DEF"]
            }
          ]
        }
        """#,
    ]
}
