// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@Test func bytes32KeepsItsBytesAndOrder() throws {
    let low = try #require(Bytes32(Array(0..<32)))
    let high = try #require(Bytes32(Array(1..<33)))
    #expect(low.bytes == Array(0..<32))
    #expect(low < high)
    #expect(Bytes32([1, 2, 3]) == nil)
    #expect(low.hex.hasPrefix("000102"))
}

@Test(arguments: [("14C", 14, 2), ("05f", 5, 5), ("255Z", 255, 25)])
func seatsAreRead(text: String, row: Int, column: Int) throws {
    let seat = try #require(Seat(text))
    #expect((Int(seat.row), Int(seat.column)) == (row, column))
}

@Test(arguments: ["", "C", "14", "0A", "256A", "1AA", "A1", "1 A", "１A", "0014C"])
func otherTextsAreNotSeats(text: String) { #expect(Seat(text) == nil) }
