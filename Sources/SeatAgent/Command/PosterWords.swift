// SPDX-License-Identifier: Apache-2.0
/// What a poster says: four lines in each of six languages, each short enough for half its width.
struct PosterWords {
    /// For each language: what there is to do, where the Wi-Fi is, and what to type.
    private let lines: [[String]]

    /// Aboard a flight.
    static let flight = PosterWords(lines: [
        [
            "Swap seats with your phone", "Join the Wi-Fi on board",
            "Scan the code, type your seat",
        ],
        [
            "Sitze tauschen mit dem Handy", "Mit dem WLAN an Bord verbinden",
            "Code scannen, Sitz eintippen",
        ],
        [
            "Échanger des sièges par mobile", "Rejoignez le Wi-Fi à bord",
            "Scannez, puis tapez le siège",
        ],
        [
            "Cambiar asientos con el móvil", "Conéctate al Wi-Fi de a bordo",
            "Escanea y escribe tu asiento",
        ],
        [
            "Scambiare posti col telefono", "Entra nel Wi-Fi di bordo",
            "Inquadra e scrivi il tuo posto",
        ],
        [
            "Zamiana miejsc przez telefon", "Połącz się z Wi-Fi na pokładzie",
            "Zeskanuj kod i wpisz miejsce",
        ],
    ])

    /// In a venue where places are booked.
    static let booked = venue([
        "Book with your phone", "Buchen mit dem Handy", "Réserver par mobile",
        "Reservar con el móvil", "Prenotare col telefono", "Rezerwacja przez telefon",
    ])

    /// In a venue where people only say that they are there.
    static let counted = venue([
        "Check in with your phone", "Anmelden mit dem Handy", "S'enregistrer par mobile",
        "Registrarse con el móvil", "Registrarsi col telefono", "Meldowanie przez telefon",
    ])

    private static func venue(_ titles: [String]) -> PosterWords {
        let others = [
            ["Join the Wi-Fi here", "Scan the code, type your name"],
            ["Mit dem WLAN hier verbinden", "Code scannen, Namen eintippen"],
            ["Rejoignez le Wi-Fi du lieu", "Scannez, puis tapez votre nom"],
            ["Conéctate al Wi-Fi del lugar", "Escanea y escribe tu nombre"],
            ["Entra nel Wi-Fi del posto", "Inquadra e scrivi il tuo nome"],
            ["Połącz się z tutejszym Wi-Fi", "Zeskanuj kod i wpisz imię"],
        ]
        return PosterWords(lines: zip(titles, others).map { [$0] + $1 })
    }

    /// With a code for the Wi-Fi beside that of the page.
    var withWiFi: [[String]] {
        let codes = [
            ["1 Wi-Fi: scan code 1", "2 Page: scan code 2"],
            ["1 WLAN: Code 1 scannen", "2 Seite: Code 2 scannen"],
            ["1 Wi-Fi : scannez le code 1", "2 Page : scannez le code 2"],
            ["1 Wi-Fi: escanea el código 1", "2 Página: escanea el código 2"],
            ["1 Wi-Fi: inquadra il codice 1", "2 Pagina: inquadra il codice 2"],
            ["1 Wi-Fi: zeskanuj kod 1", "2 Strona: zeskanuj kod 2"],
        ]
        return zip(zip(lines, codes), Self.free).map { [$0.0[0]] + $0.1 + [$1] }
    }

    /// For phones that are in the network already.
    var alone: [[String]] { zip(lines, Self.free).map { $0 + [$1] } }

    /// What nobody needs.
    private static let free = [
        "No app, no internet", "Ohne App, ohne Internet", "Sans appli, sans internet",
        "Sin app, sin internet", "Senza app, senza internet", "Bez aplikacji, bez internetu",
    ]

    /// For a page over HTTPS, of which each browser warns: the fingerprint is in the last block.
    static let compared = [
        "Warning? Compare the SHA-256", "Warnung? SHA-256 vergleichen",
        "Alerte ? Comparez le SHA-256", "¿Aviso? Compara el SHA-256",
        "Avviso? Confronta lo SHA-256", "Ostrzeżenie? Porównaj SHA-256",
    ]

    /// The blocks of a poster.
    func blocks(withWiFi: Bool, isSecure: Bool) -> [[String]] {
        let blocks = withWiFi ? self.withWiFi : alone
        guard isSecure else { return blocks }
        return zip(blocks, Self.compared).map { $0 + [$1] }
    }
}
