// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

@testable import Text
import Wording

/// An exported log as `seatagent audit` reads it: what is accepted is written as a bundle that is
/// accepted whole and tells the same story.
///
/// Input: the file.
enum BundlesTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let codec = EntryCodec(LaxPrimitives.shared)
        let items: [Bundle.Item]
        let reading: Bundle.Reading
        do throws(DecodeError) {
            items = try Bundle.items(input)
            reading = try Bundle.read(input, codec: codec)
        } catch {
            hold((0...input.count).contains(error.offset), "refused outside of the file")
            return .refused
        }
        hold(items.flatMap(\.bytes) == input, "taken apart and not put together")
        check(reading, items: items.count, codec, LaxPrimitives.shared)
        return reading.logs.logs.isEmpty ? .refused : .accepted
    }

    /// What is true of every reading, and of the report about it.
    static func check(
        _ reading: Bundle.Reading, items: Int, _ codec: EntryCodec, _ primitives: any Primitives
    ) {
        hold(
            items == 0 || !reading.refused.isEmpty || !reading.logs.logs.isEmpty,
            "neither taken nor refused")
        let places = reading.refused.map(\.place)
        hold(places == places.sorted() && places.allSatisfy { $0 < items }, "odd places")

        let file = Bundle.bytes(reading.logs)
        let again = try? Bundle.read(file, codec: codec)
        hold(again?.refused.isEmpty == true, "what was written is refused")
        hold(again.map { said($0.logs) } == said(reading.logs), "written twice, not the same")

        let fold = Fold.fold(reading.logs)
        hold(Invariants.violations(of: fold).isEmpty, "a rule of the fold is broken")
        let copy = again.map { Fold.fold($0.logs).digest(primitives) }
        hold(copy == fold.digest(primitives), "another map from the same records")

        let report = AuditReport(reading, primitives: primitives)
        let json = report.json
        hold((try? JSON(line: json.line)) == json, "a report that nobody reads")
        for line in report.lines {
            hold(line.unicodeScalars.allSatisfy(\.isSafeToPrint), "a report that acts")
        }
    }

    /// What one author's part of a bundle says: each entry as it is signed, and which two entries
    /// prove a fork.
    private struct Said: Equatable {
        let entries: [[UInt8]]
        let proof: [EntryID]
    }

    /// Of a proof without the signatures: who forks can sign one entry twice, and the proof has
    /// that one which came first, from a log or from the votes in a certificate.
    private static func said(_ logs: LogSet) -> [Said] {
        logs.logs.map { log in
            Said(
                entries: log.entries.map(\.bytes),
                proof: log.proof.map { [$0.first.id, $0.second.id] } ?? [])
        }
    }
}
