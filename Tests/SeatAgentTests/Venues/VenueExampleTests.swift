// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Aviation
@testable import Text
@testable import Venues

@Suite("Examples of venues")
struct VenueExampleTests {
    @Test(
        "The files and the program hold the same, in the one form", arguments: VenueExample.allCases
    )
    func files(example: VenueExample) throws {
        let text = try VenueFiles.text(example.rawValue)
        #expect(example.text == text)
        let venue = try Venue.read(Array(text.utf8))
        #expect(venue.text == text)
        #expect(try Venue.read(venue.bytes) == venue)
        #expect(try Venue(json: venue.json) == venue)
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
        #expect(venue.bytes.count <= VenueLimits.bytes && !venue.bytes.contains(10))
        #expect(LedgerSize(venue).fits && example.venue == venue)
    }

    @Test("There are as many as files")
    func count() {
        #expect(VenueExample.allCases.map(\.rawValue) == ["courts", "parking", "rental", "study"])
        #expect(BundledVenues.texts.count == VenueExample.allCases.count)
    }

    @Test("The four of the design are read as they stand there", arguments: designed)
    func design(line: String) throws {
        let venue = try Venue.read(Array(line.utf8))
        #expect(!venue.places.isEmpty)
        // What says nothing is left out, and the rest reads as the same.
        #expect(try Venue.read(venue.bytes) == venue)
        #expect(!venue.json.line.contains("\"turnover\":0") && !venue.json.line.contains("false"))
    }

    @Test("A cabin is a venue in memory, read by the same reader, and no venue to be signed")
    func cabin() throws {
        let line = """
            {"version":1,"slug":"flight","name":"Aeroplane cabin","mode":"claimed",\
            "cabin":"ryanair-737-800"}
            """
        let file = try VenueFile.read(Array(line.utf8), primitives: FakePrimitives())
        guard case .cabin(let cabin) = file else {
            Issue.record("no cabin")
            return
        }
        #expect(cabin == CabinVenue(bundled("ryanair-737-800")))
        #expect(cabin.cabin.seats.count == 189)
        #expect(try CabinVenue(json: cabin.json) == cabin)
        #expect(throws: FormFault.self) { try Venue.read(Array(line.utf8)) }
        let other = line.replacing("ryanair-737-800", with: "nobodys")
        #expect(throws: FormFault(place: "cabin", why: "no layout is called nobodys")) {
            try VenueFile.read(Array(other.utf8), primitives: FakePrimitives())
        }
        #expect(throws: FormFault(place: "mode", why: "it is one of \"claimed\"")) {
            try VenueFile.read(
                Array(line.replacing("claimed", with: "granted").utf8),
                primitives: FakePrimitives())
        }
    }
}

/// As the design has them.
private let designed = [
    """
    {"version":1,"slug":"rec","name":"Northwest Rec Center","zone":"America/Chicago",\
    "at":[40.3530,-94.8830],"volume":"month",
     "hours":{"Mo-Fr":"06:00-22:00","Sa,Su":"10:00-20:00"},\
    "closed":{"2026-12-25":"off: Christmas"},"units":{"hall":2},
     "groups":{"tennis":{"name":"Tennis"},"basketball":{"name":"Basketball"},\
    "badminton":{"name":"Badminton"}},
     "places":[{"id":1,"name":"Tennis 1","group":"tennis","mode":"granted","grain":60,"max":240},
       {"id":2,"name":"Tennis 2","group":"tennis","mode":"granted","grain":60,"max":240},
       {"id":10,"name":"Basketball","group":"basketball","mode":"granted","uses":{"hall":2},\
    "grain":60,"max":240},
       {"id":11,"name":"Badminton A","group":"badminton","mode":"granted","uses":{"hall":1},\
    "grain":60,"max":240}],
     "classes":[{"name":"student","mail":"S#####@nwmissouri.edu","number":"919######",\
    "proof":"roster","quota":[{"minutes":240,"bookings":1}]},
       {"name":"guest","quota":[{"minutes":120,"bookings":1}],"price":{"hour":1000}}],
     "money":{"currency":"USD","link":"https://pay.example/rec?ref={code}","payBy":-30},
     "rules":{"ahead":14,"cancel":120,"arrive":15,"join":"form","swaps":"class","waiting":true,\
    "together":1}}
    """,
    """
    {"version":1,"slug":"dreamland/gent","name":"DreamLand Gent","zone":"Europe/Brussels",\
    "volume":"year","hours":{"Mo-Sa":"09:00-18:30"},
     "places":[{"id":1,"name":"Piraat","mode":"granted","count":4,"grain":1440,"min":1440,\
    "max":4320,"turnover":0},
       {"id":2,"name":"Kasteel XL","mode":"granted","count":1,"grain":1440,"max":4320,\
    "turnover":1440}],
     "classes":[{"name":"klant","quota":[],"price":{"day":8500}}],
     "money":{"currency":"EUR","iban":"BE71096123456769","payee":"DreamLand Gent","payBy":-2880},
     "rules":{"ahead":365,"cancel":2880,"join":"form","swaps":"all"}}
    """,
    """
    {"version":1,"slug":"uva","name":"UvA study places","zone":"Europe/Amsterdam","volume":"day",\
    "hours":{"Mo-Fr":"08:30-22:00","Sa,Su":"10:00-18:00"},
     "places":[{"id":1,"name":"UB Singel","mode":"counted","count":120,"address":"Singel 425",\
    "at":[52.3681,4.8889],"card":false},
       {"id":2,"name":"Law library","mode":"counted","count":260,\
    "address":"Nieuwe Achtergracht 166","at":[52.3633,4.9116],"card":true,
        "hours":{"Mo-Fr":"09:00-20:00"}}],
     "classes":[{"name":"everybody"}],"rules":{"join":"open"}}
    """,
    """
    {"version":1,"slug":"maple-towers","name":"Maple Towers","zone":"America/Toronto",\
    "volume":"month","hours":{"Mo-Su":"00:00-24:00"},
     "building":"B7K2Q","address":"12 Main St","at":[43.6535,-79.3839],
     "places":[{"id":1,"name":"Visitor bays","mode":"granted","count":20,"grain":1,\
    "lengths":[60,240,720,1440]}],
     "classes":[{"name":"visitor","quota":[{"bookings":2}]}],\
    "rules":{"ahead":1,"join":"form","swaps":"none","member":"suite"}}
    """,
]
