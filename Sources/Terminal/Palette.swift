// SPDX-License-Identifier: Apache-2.0
/// What the terminal can show.
enum ColourDepth: Hashable, Sendable {
    /// Bold, reverse and dim only: NO_COLOR, or a terminal without colours.
    case none
    case eight
    case many
}

/// Colours come in pairs, text with background, so that they are legible on dark and light
/// terminals and for people who cannot tell red from green.
enum Palette {
    /// Text and background; `nil` for the terminal's own.
    struct Pair: Hashable, Sendable {
        let text: Int16
        let background: Int16
    }

    /// Attributes beside the colours.
    struct Look: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let bold = Look(rawValue: 1)
        static let dim = Look(rawValue: 2)
        static let reverse = Look(rawValue: 4)
        static let underline = Look(rawValue: 8)
    }

    /// The colours of a style; `nil` if it has none.
    static func pair(_ style: Style, _ depth: ColourDepth) -> Pair? {
        switch depth {
        case .none: return nil
        case .eight:
            switch style {
            case .active: return Pair(text: 7, background: 4)
            case .available: return Pair(text: 0, background: 3)
            case .wanted: return Pair(text: 0, background: 6)
            case .alert: return Pair(text: 7, background: 1)
            default: return nil
            }
        case .many:
            switch style {
            case .active: return Pair(text: 231, background: 25)
            case .available: return Pair(text: 16, background: 214)
            case .wanted: return Pair(text: 16, background: 121)
            case .alert: return Pair(text: 231, background: 161)
            default: return nil
            }
        }
    }

    /// The attributes of a style.
    static func look(_ style: Style, _ depth: ColourDepth) -> Look {
        switch style {
        case .plain, .active: []
        case .bold: .bold
        case .dim: .dim
        case .inactive: [.dim, .underline]
        case .reverse, .bar: .reverse
        case .own: [.bold, .reverse]
        case .doubtful: [.bold, .underline]
        case .available, .wanted, .alert: depth == .none ? .bold : []
        }
    }
}
