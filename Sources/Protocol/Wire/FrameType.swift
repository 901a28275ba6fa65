// SPDX-License-Identifier: Apache-2.0
/// The types of frames and their numbers (docs/protocol.md section 5). An unknown odd type is
/// ignored, an unknown even one closes the connection.
package enum FrameType: UInt8, CaseIterable, Sendable {
    case hello = 0
    case helloAck = 2
    case frontier = 4
    case want = 6
    case entries = 8
    case forkProof = 10
    case have = 11
    case lazy = 9
    case peerExchange = 13
    case ping = 14
    case pong = 15
    case verifyStart = 16
    case verifyEnd = 17
    case verifyNonce = 18
    case verifyOpen = 20
    case verifyMAC = 22
    case propose = 24
    case ready = 26
    case decline = 28
    case withdraw = 30
    case prepare = 32
    case vote = 34
    case certificate = 36
    case query = 38
    case status = 40
    case directMessage = 42
    case directAck = 44
    case close = 46
    case ask = 48
    case relayOpen = 49
    case relayReady = 51
    case relayData = 53
    case relayTook = 55
    case relayEnd = 57
    // 59 stands in the vectors as a type that is unknown and ignored.
    case layout = 61
    case layouts = 63
}
