// SPDX-License-Identifier: Apache-2.0
/// What a poster says: four lines in each of six languages, each short enough for half its width.
enum PosterWords {
    /// With a code for the Wi-Fi beside that of the page.
    static let withWiFi = [
        [
            "Swap seats with your phone", "1 Wi-Fi: scan code 1", "2 Page: scan code 2",
            "No app, no internet",
        ],
        [
            "Sitze tauschen mit dem Handy", "1 WLAN: Code 1 scannen", "2 Seite: Code 2 scannen",
            "Ohne App, ohne Internet",
        ],
        [
            "Échanger des sièges par mobile", "1 Wi-Fi : scannez le code 1",
            "2 Page : scannez le code 2", "Sans appli, sans internet",
        ],
        [
            "Cambiar asientos con el móvil", "1 Wi-Fi: escanea el código 1",
            "2 Página: escanea el código 2", "Sin app, sin internet",
        ],
        [
            "Scambiare posti col telefono", "1 Wi-Fi: inquadra il codice 1",
            "2 Pagina: inquadra il codice 2", "Senza app, senza internet",
        ],
        [
            "Zamiana miejsc przez telefon", "1 Wi-Fi: zeskanuj kod 1", "2 Strona: zeskanuj kod 2",
            "Bez aplikacji, bez internetu",
        ],
    ]

    /// For phones that are in the network already.
    static let alone = [
        ["Join the Wi-Fi on board", "Scan the code, type your seat"],
        ["Mit dem WLAN an Bord verbinden", "Code scannen, Sitz eintippen"],
        ["Rejoignez le Wi-Fi à bord", "Scannez, puis tapez le siège"],
        ["Conéctate al Wi-Fi de a bordo", "Escanea y escribe tu asiento"],
        ["Entra nel Wi-Fi di bordo", "Inquadra e scrivi il tuo posto"],
        ["Połącz się z Wi-Fi na pokładzie", "Zeskanuj kod i wpisz miejsce"],
    ].enumerated().map { number, middle in
        [withWiFi[number][0]] + middle + [withWiFi[number][3]]
    }

    /// For a page over HTTPS, of which each browser warns: the fingerprint is in the last block.
    static let compared = [
        "Warning? Compare the SHA-256", "Warnung? SHA-256 vergleichen",
        "Alerte ? Comparez le SHA-256", "¿Aviso? Compara el SHA-256",
        "Avviso? Confronta lo SHA-256", "Ostrzeżenie? Porównaj SHA-256",
    ]

    /// The blocks of a poster.
    static func blocks(withWiFi: Bool, isSecure: Bool) -> [[String]] {
        let blocks = withWiFi ? Self.withWiFi : alone
        guard isSecure else { return blocks }
        return zip(blocks, compared).map { $0 + [$1] }
    }
}
