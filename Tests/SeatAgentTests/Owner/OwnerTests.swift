// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Grammar
@testable import Owner
@testable import Text

@Suite("What the owner of a profile says of themselves")
struct OwnerTests {
    /// How the text is kept, or what is wrong with it.
    private func kept(_ field: OwnerField, _ text: String) -> String {
        do throws(FormFault) {
            return try field.check(text)
        } catch {
            return error.sentence
        }
    }

    @Test("P1: an address has one @, a dot in its host, no blanks and at most 254 bytes")
    func p1Mail() {
        for right in ["ada@example.org", "a@b.c", "a.b+c@x-y.z.example", "ada@bücher.example"] {
            #expect(kept(.mail, right) == right)
        }
        let longest = String(repeating: "a", count: 248) + "@bc.de"
        #expect(longest.utf8.count == 254 && kept(.mail, longest) == longest)
        for (wrong, why) in [
            ("a" + longest, "it has 255 bytes"), ("ada", "it has 0 @"), ("a@b@c.d", "it has 2 @"),
            ("@b.c", "nothing stands before the @"), ("a@bc", "no dot follows the @"),
            ("a@.bc", "a dot stands"), ("a@bc.", "a dot stands"), ("a@b..c", "a dot stands"),
            ("a @b.c", "there is a blank in it"), (" a@b.c", "there is a blank in it"),
            ("a@b.c\n", "there is a blank in it"), ("a\u{A0}@b.c", "there is a blank in it"),
            ("a\u{1B}@b.c", "characters that cannot be seen"),
            ("a\u{200B}@b.c", "characters that cannot be seen"),
        ] {
            #expect(kept(.mail, wrong).hasPrefix("mail: ") && kept(.mail, wrong).contains(why))
            #expect(kept(.mail, wrong).hasSuffix("it needs \(OwnerField.mail.need)"), "\(wrong)")
        }
    }

    @Test("P1: a phone has 5 to 20 digits, a + in front, blanks and hyphens between them")
    func p1Phone() {
        #expect(kept(.phone, "12345") == "12345")
        #expect(kept(.phone, " +44  20 7946-0000 ").contains("a + stands"))
        #expect(kept(.phone, "+44  20 7946-0000 ") == "+44 20 7946-0000")
        #expect(kept(.phone, "12345678901234567890") == "12345678901234567890")
        for (wrong, why) in [
            ("1234", "it has 4 digits"), ("+1-2 3-4", "it has 4 digits"),
            ("123456789012345678901", "it has 21 digits"), ("1+23456", "a + stands"),
            ("++12345", "a + stands"), ("12345x", "x is no digit"), ("(0)12345", "( is no digit"),
            ("١٢٣٤٥", "is no digit"), ("12345\t6", "is no digit"),
            ("1" + String(repeating: "-", count: 40) + "2345", "it has 45 characters"),
        ] {
            #expect(kept(.phone, wrong).hasPrefix("phone: "), "\(wrong)")
            #expect(kept(.phone, wrong).contains(why), "\(wrong)")
        }
    }

    @Test("P1: a name is one that a passenger may have, a plate one that a car may have")
    func p1NameAndPlate() {
        #expect(kept(.name, "  Ada L. ") == "Ada L.")
        #expect(kept(.name, " ").hasPrefix("name: the name is empty; it needs"))
        #expect(kept(.name, String(repeating: "n", count: 49)).contains("48 are allowed"))
        #expect(kept(.name, "14C").contains("it is a seat, and no name"))
        #expect(kept(.plate, "ab-12 cde") == "AB12CDE")
        #expect(kept(.plate, "A") == "plate: it has 1, and needs 2 to 8 letters and digits")
    }

    @Test("Fields are set and cleared, and a wrong one changes nothing")
    func details() throws {
        var details = OwnerDetails()
        #expect(details.isEmpty && details.shown == [:])
        try details.set(.mail, "ada@example.org")
        try details.set(.plate, "ab 12")
        #expect(details[.plate] == "AB12" && details[.name] == nil)
        #expect(throws: FormFault.self) { try details.set(.mail, "ada") }
        #expect(details[.mail] == "ada@example.org")
        #expect(
            details.json == ["version": 1, "mail": "ada@example.org", "plate": "AB12"])
        #expect(try OwnerDetails(json: details.json) == details)
        try details.set(.mail, "")
        #expect(details.shown == ["plate": "AB12"])
    }

    @Test("A file that says anything else is refused")
    func file() {
        func fault(_ json: JSON) -> String {
            do throws(FormFault) {
                _ = try OwnerDetails(json: json)
                return ""
            } catch {
                return error.sentence
            }
        }
        #expect(fault(["version": 1]) == "")
        #expect(fault([:]).hasPrefix("version"))
        #expect(fault(["version": 2]).hasPrefix("version"))
        #expect(fault(["version": 1, "mail": 3]).hasPrefix("mail"))
        #expect(fault(["version": 1, "mail": "ada"]).hasPrefix("mail: it has 0 @"))
        #expect(fault(["version": 1, "plate": "ab12"]) == "plate: it is kept as AB12")
        #expect(fault(["version": 1, "age": 3]).contains("nothing is called age"))
        #expect(fault([]).contains("an object"))
    }

    @Test("The grammar and the file know the same fields, and each sample fits")
    func fields() {
        #expect(ProfileWord.fields == OwnerField.allCases.map(\.rawValue))
        for field in OwnerField.allCases {
            let sample = field.sample.filter { $0 != "'" }
            #expect(kept(field, sample) == sample)
        }
    }
}
