// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

@Suite("R6: paying for a booking")
struct BookingPaymentTests {
    private func payment(_ money: JSON, _ due: Grant.Due) throws -> BookingPayment {
        let venue = try Venue(json: VenueFiles.least.adding(["money": money]))
        let code = BookingCode(try token(0x57, 0xE1, 0xA6, 0x75, 0xC0))
        return BookingPayment(due, code, try #require(venue.money))
    }

    private let iban: JSON = [
        "currency": "EUR", "iban": "BE71096123456769", "payee": "DreamLand & Gent",
    ]

    @Test("A code is the first 40 bits of a token")
    func code() throws {
        #expect(BookingCode(try token(0x57, 0xE1, 0xA6, 0x75, 0xC0)).text == "K7Q2M5OA")
        #expect(BookingCode(try token()).text == "AAAAAAAA")
        let all = try token(255, 255, 255, 255, 255)
        #expect(BookingCode(all).text == "77777777")
    }

    @Test("A code is found by its begin in any spelling, and two of one begin are told")
    func lookup() throws {
        let one = try token(0x57, 0xE1, 0xA6, 0x75, 0xC0)
        let two = try token(0x57, 0xE1, 0xA6, 0x75, 0xC1)
        let all = [one, two, try token(9)]
        func find(_ word: String, _ tokens: [Token]) throws -> Token {
            try BookingCode.find(word, among: tokens, list: "seatagent bookings")
        }
        for word in ["K7Q2M5OA", "k7q2-m5oa", "k7q2m50a", "K7Q2 M5OA"] {
            #expect(try find(word, all) == one)
        }
        #expect(try find("K7Q2M5OB", all) == two && (try find("k7q2m508", all) == two))
        #expect(try find("k7q2", [one]) == one)
        func fault(_ word: String) -> UserError? {
            do throws(UserError) {
                _ = try BookingCode.find(word, among: all, list: "seatagent bookings")
                return nil
            } catch { return error }
        }
        #expect(fault("k7q2")?.code == .ambiguous)
        #expect(fault("k7q2")?.why == "K7Q2M5OA, K7Q2M5OB")
        #expect(fault("ZZZZ")?.code == .noSuchBooking)
        for word in ["k7q", "k7q2m5xab", "k7q9", "é7q2", ""] {
            #expect(fault(word)?.what.contains("is no code") == true, "\(word)")
        }
    }

    @Test("Prices by the hour and by the day; parts of an hour are rounded up")
    func prices() throws {
        let courts = try VenueFiles.venue(.courts)
        func due(_ venue: Venue, _ minutes: Int, x count: Int = 1, _ number: Int?) throws -> Int? {
            let period = try #require(
                Period(day: try venueDay("2026-12-05"), from: 0, minutes: minutes))
            return venue.due(period, count: count, memberClass: number)?.amount
        }
        #expect(try due(courts, 120, 0) == nil)
        #expect(try due(courts, 120, 1) == 2000 && (try due(courts, 120, nil) == 2000))
        #expect(try due(courts, 50, 1) == 834 && (try due(courts, 50, x: 2, 9) == 1668))
        let rental = try VenueFiles.venue(.rental)
        #expect(try due(rental, 1440, 0) == 8500 && (try due(rental, 1441, 0) == 17_000))
        #expect(try due(rental, 4320, x: 3, 0) == 76_500)
        let words = Grant.Due(currency: "USD", amount: 2000).words
        #expect(words == "20.00 USD")
    }

    @Test("The link of the venue has the code, wherever it stands")
    func link() throws {
        let link = "https://a.example/{code}?ref={code}"
        let paid = try payment(
            ["currency": "USD", "link": .string(link)], Grant.Due(currency: "USD", amount: 5))
        #expect(paid.link == "https://a.example/K7Q2M5OA?ref=K7Q2M5OA")
        #expect(paid.payto == nil && paid.transfer == nil)
    }

    @Test("payto has the account, the amount and the code (RFC 8905)")
    func payto() throws {
        let euro = Grant.Due(currency: "EUR", amount: 8500)
        #expect(
            try payment(iban, euro).payto
                == "payto://iban/BE71096123456769?amount=EUR:85.00"
                + "&receiver-name=DreamLand%20%26%20Gent&message=K7Q2M5OA")
        func added(_ link: String, _ due: Grant.Due = euro, _ currency: String = "EUR") throws
            -> String?
        {
            try payment(["currency": .string(currency), "payto": .string(link)], due).payto
        }
        #expect(
            try added("payto://upi/a@b?receiver-name=A")
                == "payto://upi/a@b?receiver-name=A&amount=EUR:85.00&message=K7Q2M5OA")
        #expect(
            try added("payto://x/y?Amount=EUR:1&message=z#f")
                == "payto://x/y?Amount=EUR:1&message=z")
        let yen = Grant.Due(currency: "JPY", amount: 1200)
        #expect(
            try added("payto://x/y", yen, "JPY") == "payto://x/y?amount=JPY:1200&message=K7Q2M5OA")
        // Another currency than what is due is nobody's account.
        #expect(try added("payto://x/y", yen) == nil)
    }

    @Test("The transfer for banks' apps, field by field (EPC069-12)")
    func transfer() throws {
        let text = try payment(iban, Grant.Due(currency: "EUR", amount: 8500)).transfer
        let lines = try #require(text).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 11)
        #expect(lines[0] == "BCD" && lines[1] == "002" && lines[2] == "1" && lines[3] == "SCT")
        #expect(lines[4] == "" && lines[5] == "DreamLand & Gent" && lines[6] == "BE71096123456769")
        #expect(
            lines[7] == "EUR85.00" && lines[8] == "" && lines[9] == "" && lines[10] == "K7Q2M5OA")
        func amount(_ amount: Int) throws -> String? {
            try payment(iban, Grant.Due(currency: "EUR", amount: amount)).transfer
        }
        #expect(try amount(1)?.contains("\nEUR0.01\n") == true)
        #expect(try amount(0) == nil)
        #expect(try amount(4_294_967_295)?.contains("\nEUR42949672.95\n") == true)
        // Only euro, and only with an account number.
        #expect(try payment(iban, Grant.Due(currency: "USD", amount: 5)).transfer == nil)
        let dollars = iban.adding(["currency": "USD"])
        #expect(try payment(dollars, Grant.Due(currency: "USD", amount: 5)).transfer == nil)
        let payto: JSON = ["currency": "EUR", "payto": "payto://iban/BE71096123456769"]
        #expect(try payment(payto, Grant.Due(currency: "EUR", amount: 5)).transfer == nil)
    }

    @Test("Amounts are read as they are written")
    func amounts() {
        for currency in ["EUR", "JPY", "KWD"] {
            for amount in [0, 1, 5, 99, 100, 2000, 123_456] {
                let words = MoneyText.words(amount, currency).dropLast(4)
                #expect(MoneyText.amount(String(words), currency) == amount)
            }
        }
        #expect(MoneyText.amount("20", "EUR") == 2000 && MoneyText.amount("20", "JPY") == 20)
        for text in [
            "", "20.", ".5", "20.0", "20.000", "-1", "1e3", "20,00", "9999999999", "1.2.3",
        ] {
            #expect(MoneyText.amount(text, "EUR") == nil, "\(text)")
        }
        #expect(MoneyText.amount("20.00", "JPY") == nil && MoneyText.amount("1.234", "KWD") == 1234)
    }
}
