// SPDX-License-Identifier: Apache-2.0
/// The second word of `seatagent meet`.
package enum MeetWord: String, Subword {
    case check
}
