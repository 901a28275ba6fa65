// SPDX-License-Identifier: Apache-2.0
/// Limits of the wishes that an agent itself writes; what others may write is in `Limits.swift`.
extension Limits {
    /// Bytes of the words of a wish, which stay on the device: four ranks take a tenth of it.
    package static let wishWords = 1024
    /// The shortest time between two wishes that an agent writes: whoever tries words does not make
    /// everybody check a signature for each.
    package static let wishPace = TimeSpan.seconds(5)
    /// Wishes that an agent writes into its log: people change their minds a few times. The last of
    /// them only takes an offer back.
    package static let wishesPerLog = 64
    /// Of these, those up to which it says a wish anew that comes to other seats because others
    /// moved: nobody else uses up what the user may say.
    package static let wishesRenewed = 32
    /// The shortest time between two searches for rings that an agent proposes for its user.
    package static let ringPause = TimeSpan.seconds(30)
    /// How long each party of a ring waits for the one before to propose it.
    package static let ringTurn = TimeSpan.seconds(20)
    /// Open requests of the user beyond which their agent proposes nothing for them.
    package static let automaticRings = 3
}
