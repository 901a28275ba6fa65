// SPDX-License-Identifier: Apache-2.0
import Launch
import Text

extension AgentOptions {
    /// What to tell the user about the seats and the layout.
    var cabinRemarks: [String] {
        if let cabin, cabin.lowercased() != layout.id {
            return ["The layout \(visible(cabin)) cannot be read: the standard one is drawn."]
        }
        return layout.remarks(on: seats)
    }
}
