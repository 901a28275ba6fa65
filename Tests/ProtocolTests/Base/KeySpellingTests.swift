// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

/// The key with a published spelling, as in the tests of Syncthing's device ids.
private let published = "p56ioi7-mzjnu2y-iqgdrey-dm2mgti-mgl3bxn-pq6w5bm-tbbz4tj-xzwicq2"

private func fault(_ text: String) -> PeerKey.SpellingFault? {
    do throws(PeerKey.SpellingFault) {
        _ = try PeerKey(spelled: text)
        return nil
    } catch {
        return error
    }
}

private func key(_ seed: UInt8) -> PeerKey { PeerKey(FakePrimitives().sha256([seed])) }

@Suite struct KeySpellingTests {
    @Test func theKnownSpellingIsReadAndMadeAgain() throws {
        let key = try PeerKey(spelled: published)
        #expect(key.spelled == published)
        #expect(key.bytes.prefix(4) == [0x7F, 0x7C, 0x87, 0x23])
    }

    @Test func everyKeyComesBack() throws {
        for seed in UInt8.min...UInt8.max {
            let spelled = key(seed).spelled
            #expect(spelled.utf8.count == 63)
            #expect(try PeerKey(spelled: spelled) == key(seed))
        }
        let edges = [
            PeerKey(.zero), PeerKey(try #require(Bytes32(Array(repeating: 255, count: 32)))),
        ]
        for edge in edges { #expect(try PeerKey(spelled: edge.spelled) == edge) }
    }

    @Test func caseDashesSpacesAndLookAlikesDoNotMatter() throws {
        let key = try PeerKey(spelled: published)
        let bare = published.filter { $0 != "-" }
        for text in [
            published.uppercased(), bare, " \(published)\n", published.replacing("-", with: " "),
            bare.replacing("o", with: "0").replacing("i", with: "1").replacing("b", with: "8"),
        ] {
            #expect(try PeerKey(spelled: text) == key, "\(text)")
        }
    }

    @Test func anyOneWrongCharacterIsASlipAndNotAnotherKey() {
        let bare = Array(published.filter { $0 != "-" })
        for place in bare.indices {
            for letter in alphabet where letter != bare[place] {
                var wrong = bare
                wrong[place] = letter
                guard case .slip(let groups)? = fault(String(wrong)) else {
                    Issue.record("\(String(wrong))")
                    continue
                }
                // The groups that are named are those in which it is.
                let quarter = place / 14 * 14
                let named = Array(groups.filter { $0 != "-" })
                #expect(named == Array(wrong[quarter..<quarter + 14]))
            }
        }
    }

    @Test func neighboursThatChangedPlacesAreASlip() {
        for seed in UInt8(0)..<40 {
            let bare = Array(key(seed).spelled.filter { $0 != "-" })
            // The check digit itself is another matter: it stands outside the sum.
            for place in bare.indices.dropLast() where place % 14 < 12 {
                let pair = Set([bare[place], bare[place + 1]])
                guard pair.count == 2, pair != ["a", "7"] else { continue }
                var wrong = bare
                wrong.swapAt(place, place + 1)
                #expect(fault(String(wrong)) != nil, "\(String(wrong)) at \(place)")
            }
        }
    }

    @Test func whatIsNoSpellingIsRefusedForWhatItIs() {
        #expect(fault("") == .count(0))
        #expect(fault(String(published.dropLast())) == .count(55))
        #expect(fault(published + "a") == .count(57))
        #expect(fault("k7q2-m5xa-3d4wp") == .count(13))
        #expect(fault(key(1).hex) == .character("9"))
        #expect(fault(published.replacing("p", with: "é")) == .character("é"))
        #expect(fault(published.replacing("-", with: "\u{202E}")) == .character("\u{202E}"))
    }

    /// The last character carries one bit of the key: other characters there are no key at all.
    @Test func bitsBehindTheKeyMustBeZero() {
        #expect(fault(String(repeating: "a", count: 56)) == nil)
        // The thirteenth character counts once, so its check digit is what is missing to 32.
        #expect(fault(String(repeating: "a", count: 54) + "b7") == .noKey)
        #expect(fault(String(repeating: "a", count: 54) + "qq") == nil)
    }

    @Test func base32ReadsOnlyWhatItWrites() {
        for count in 0..<12 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 37 * $0 + 201) }
            #expect(Base32.decode(Base32.encode(bytes).utf8) == bytes)
        }
        for text in ["a", "ab", "aaa", "aaaaaa", "AA", "a0", "aa=", "a1", "a8"] {
            #expect(Base32.decode(text.utf8) == nil, "\(text)")
        }
    }
}
