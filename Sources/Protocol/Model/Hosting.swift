// SPDX-License-Identifier: Apache-2.0
/// That one agent runs on the computer of another passenger, as one of the two says
/// (docs/protocol.md section 8). It counts when both say so: see ``LogSet/host(of:)``.
public struct Hosting: Hashable, Sendable {
    /// Which of the two the author is.
    public enum Role: Int, Hashable, Sendable {
        /// It is the author's computer: the agent of the other one runs there.
        case host = 0
        /// The author's agent runs on the computer of the other one.
        case guest = 1
    }

    /// Which of the two the author is.
    public let role: Role
    /// The other one.
    public let other: PeerKey
    /// Whether it is so; else the author takes it back.
    public let holds: Bool

    /// Says that the author is host or guest of `other`, or is not any more.
    public init(_ role: Role, _ other: PeerKey, holds: Bool = true) {
        self.role = role
        self.other = other
        self.holds = holds
    }
}
