// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Protocol
@testable import Text

/// The vectors of ledgers, read back.
@Suite("Vectors of ledgers")
struct BookVectorTests {
    private let codec = EntryCodec(
        VectorFlight.primitives, rules: .venue(OperatorKey(Bytes32.zero)))

    private func bytes(_ item: JSON) throws -> [UInt8] {
        try #require(item["entry"]?.text.flatMap { Protocol.bytes(hexadecimal: $0) })
    }

    @Test("Forms that are allowed are read, those beyond are refused, and on a flight all are")
    func forms() throws {
        let forms = BookVectors.forms()
        let accepted = try #require(forms["accepted"]?.list)
        let refused = try #require(forms["refused"]?.list)
        #expect(accepted.count > 90 && refused.count > 150)
        for item in accepted {
            let entry = try codec.decode(try bytes(item))
            #expect(entry.id.hex == item["id"]?.text && entry.body.type == item["type"]?.number)
        }
        for item in refused {
            let bytes = try bytes(item)
            #expect(throws: DecodeError.self, "\(item["why"]?.text ?? "")") {
                try codec.decode(bytes)
            }
        }
        // Without ranks a wish is the same everywhere.
        for item in accepted where item["form"] != "0 ranks" {
            let bytes = try bytes(item)
            #expect(throws: DecodeError.self) { try VectorFlight.codec.decode(bytes) }
        }
        let asks = try #require(forms["asks"]?.list)
        #expect(asks.count > 60)
        for item in asks {
            let body = try #require(
                item["body"]?.text.flatMap { Protocol.bytes(hexadecimal: $0) })
            let isAsk = (try? BookingAsk(body: body)) != nil
            #expect(.bool(isAsk) == item["is_ask"], "\(item["form"]?.text ?? "")")
        }
    }
}
