// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import Places
@testable import Text
@testable import Venues

/// Gazetteers: what is read is kept as a file that reads as the same, every place finds itself by
/// its own words, and nothing of it acts on a terminal.
///
/// Input: the text.
enum GazetteerTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let gazetteer: Gazetteer
        do throws(FormFault) {
            gazetteer = try Gazetteer(csv: input)
        } catch {
            hold(error.sentence.unicodeScalars.allSatisfy(\.isSafeToPrint), "a fault that acts")
            hold(error.sentence.utf8.count < 1000, "a long complaint")
            return .refused
        }
        hold(!gazetteer.places.isEmpty, "nothing is something")
        hold((try? Gazetteer(csv: Array(gazetteer.csv.utf8))) == gazetteer, "another when kept")
        let known = gazetteer.places.map { KnownPlace($0, .gazetteer("x")) }
        for place in known.prefix(4) { check(place, known) }
        return .accepted
    }

    private static func check(_ place: KnownPlace, _ known: [KnownPlace]) {
        let named = place.named
        hold(abs(named.at.north) <= 900_000_000, "beyond a pole")
        hold(abs(named.at.east) <= 1_800_000_000, "round the Earth")
        hold(named.name.utf8.count <= Gazetteer.nameLimit, "a long name")
        hold(place.words.unicodeScalars.allSatisfy(\.isSafeToPrint), "a name that acts")
        let near = PlaceSearch.nearest(to: named.at, in: [known])
        hold(near.map { $0.metres == 0 } ?? false, "it is not where it is")
        let isSaid = !StreetWords(named.name).words.isEmpty
        switch PlaceSearch.find(named.name, in: [known]) {
        case .none: hold(!isSaid, "its own words do not find it")
        case .one(let found): hold(isSaid && found.named.at == named.at, "another is found")
        case .several(let list):
            hold(isSaid && 2...PlaceSearch.listed ~= list.count, "no list")
            hold(
                list.count == PlaceSearch.listed || list.contains { $0.named.at == named.at },
                "a list without it")
        }
    }
}
