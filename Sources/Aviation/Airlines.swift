// SPDX-License-Identifier: Apache-2.0
import Text

/// The airlines that the program knows: a list typed by hand, not all there are. If nothing is
/// known about check-in, nothing is said.
package enum Airlines {
    static let all: [Airline] = families + europe + others

    /// The airline with this designator of two or three characters, upper case.
    package static func named(_ code: String) -> Airline? {
        all.first { $0.code == code || $0.icao == code }
    }

    /// The airline that was probably meant, one edit away, and its designator in the spelling of
    /// `code`. For two characters only a transposition counts, because everything is one letter
    /// from something.
    package static func near(_ code: String) -> (code: String, airline: Airline)? {
        let swapped = all.map(\.code).filter { $0.sorted() == code.sorted() }
        let candidates = code.utf8.count == 3 ? all.map(\.icao) : swapped
        guard let near = Suggestions.nearest(to: code, among: candidates),
            let airline = named(near)
        else { return nil }
        return (near, airline)
    }

    private static let families: [Airline] = [
        Airline("FR", "RYR", "Ryanair", .ryanair, .ryanair),
        Airline("AL", "MAY", "Malta Air", .ryanair, .ryanair),
        Airline("RR", "RYS", "Buzz", .ryanair, .ryanair),
        Airline("RK", "RUK", "Ryanair UK", .ryanair, .ryanair),
        Airline("LW", "LDA", "Lauda Europe", .ryanair, .ryanair),
        Airline("U2", "EZY", "easyJet", .easyJet, .easyJet),
        Airline("EC", "EJU", "easyJet Europe", .easyJet, .easyJet),
        Airline("DS", "EZS", "easyJet Switzerland", .easyJet, .easyJet),
        Airline("W6", "WZZ", "Wizz Air", .wizz, .wizz),
        Airline("W4", "WMT", "Wizz Air Malta", .wizz, .wizz),
        Airline("W9", "WUK", "Wizz Air UK", .wizz, .wizz),
        Airline("5W", "WAZ", "Wizz Air Abu Dhabi", .wizz, .wizz),
        Airline("HV", "TRA", "Transavia", .transavia),
        Airline("TO", "TVF", "Transavia France", .transavia),
        Airline("DY", "NOZ", "Norwegian", .norwegian, .norwegian),
        Airline("D8", "NSZ", "Norwegian Air Sweden", .norwegian, .norwegian),
    ]

    private static let europe: [Airline] = [
        Airline("LH", "DLH", "Lufthansa", nil, .lufthansa),
        Airline("LX", "SWR", "Swiss", nil, .lufthansa),
        Airline("OS", "AUA", "Austrian", nil, .lufthansa),
        Airline("SN", "BEL", "Brussels Airlines", nil, .lufthansa),
        Airline("EW", "EWG", "Eurowings"),
        Airline("BA", "BAW", "British Airways", nil, .british),
        Airline("KL", "KLM", "KLM", nil, .airFranceKLM),
        Airline("AF", "AFR", "Air France", nil, .airFranceKLM),
        Airline("VY", "VLG", "Vueling", nil, .vueling),
        Airline("DE", "CFG", "Condor", nil, .condor),
        Airline("IB", "IBE", "Iberia"),
        Airline("UX", "AEA", "Air Europa"),
        Airline("V7", "VOE", "Volotea"),
        Airline("TP", "TAP", "TAP Air Portugal"),
        Airline("AZ", "ITY", "ITA Airways"),
        Airline("EI", "EIN", "Aer Lingus"),
        Airline("LS", "EXS", "Jet2"),
        Airline("BY", "TOM", "TUI Airways"),
        Airline("X3", "TUI", "TUIfly"),
        Airline("SK", "SAS", "SAS"),
        Airline("AY", "FIN", "Finnair"),
        Airline("FI", "ICE", "Icelandair"),
        Airline("BT", "BTI", "airBaltic"),
        Airline("LO", "LOT", "LOT"),
        Airline("A3", "AEE", "Aegean"),
        Airline("OU", "CTN", "Croatia Airlines"),
        Airline("JU", "ASL", "Air Serbia"),
        Airline("TK", "THY", "Turkish Airlines"),
        Airline("PC", "PGT", "Pegasus"),
        Airline("XQ", "SXS", "SunExpress"),
    ]

    private static let others: [Airline] = [
        Airline("AA", "AAL", "American Airlines", nil, .american),
        Airline("DL", "DAL", "Delta", nil, .american),
        Airline("UA", "UAL", "United", nil, .american),
        Airline("B6", "JBU", "JetBlue", nil, .american),
        Airline("AS", "ASA", "Alaska Airlines", nil, .american),
        Airline("9K", "KAP", "Cape Air"),
        Airline("AC", "ACA", "Air Canada"),
        Airline("EK", "UAE", "Emirates"),
        Airline("FZ", "FDB", "flydubai"),
        Airline("QR", "QTR", "Qatar Airways"),
        Airline("EY", "ETD", "Etihad"),
        Airline("XY", "KNE", "flynas"),
        Airline("6E", "IGO", "IndiGo"),
        Airline("SQ", "SIA", "Singapore Airlines"),
        Airline("CX", "CPA", "Cathay Pacific"),
        Airline("QF", "QFA", "Qantas"),
        Airline("NH", "ANA", "ANA"),
        Airline("JL", "JAL", "Japan Airlines"),
    ]
}
