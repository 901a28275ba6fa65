// SPDX-License-Identifier: Apache-2.0
extension UserError: Codable {
    package init(from decoder: any Decoder) throws { self.init(json: try JSON(from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
