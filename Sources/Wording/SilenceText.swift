// SPDX-License-Identifier: Apache-2.0
/// What silence does.
package enum SilenceText {
    /// What is said when it begins.
    package static let silenced =
        "For 30 minutes only people you verified, of your party or vouched for can ask you."
}
