// SPDX-License-Identifier: Apache-2.0
/// What the terminal at hand can show.
enum ColourDepth: Hashable, Sendable {
    /// Bold, reverse and dim only: NO_COLOR, or a terminal without colours.
    case none
    case eight
    case many
}

/// Colours come as pairs, own text with own background, so that they read on dark and light
/// terminals and for those who see red and green alike.
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

    /// The colours of a style; `nil` where it has none.
    static func pair(_ style: Style, _ depth: ColourDepth) -> Pair? {
        switch depth {
        case .none: return nil
        case .eight:
            switch style {
            case .seatAboard: return Pair(text: 7, background: 4)
            case .seatOffers: return Pair(text: 0, background: 3)
            case .seatWants: return Pair(text: 0, background: 6)
            case .seatAsks, .alert: return Pair(text: 7, background: 1)
            default: return nil
            }
        case .many:
            switch style {
            case .seatAboard: return Pair(text: 231, background: 25)
            case .seatOffers: return Pair(text: 16, background: 214)
            case .seatWants: return Pair(text: 16, background: 121)
            case .seatAsks, .alert: return Pair(text: 231, background: 161)
            default: return nil
            }
        }
    }

    /// The attributes of a style.
    static func look(_ style: Style, _ depth: ColourDepth) -> Look {
        switch style {
        case .plain, .seatAboard: []
        case .bold: .bold
        case .dim, .seatEmpty: .dim
        case .seatAway: [.dim, .underline]
        case .reverse, .bar: .reverse
        case .seatMe: [.bold, .reverse]
        case .seatDisputed: [.bold, .underline]
        case .seatOffers, .seatWants, .seatAsks, .alert: depth == .none ? .bold : []
        }
    }
}
