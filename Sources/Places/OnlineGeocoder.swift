// SPDX-License-Identifier: Apache-2.0
package import Profile
import System
import Text
package import Venues

/// A geocoder on the internet, asked only if `geocode.url` is set: the interface of Nominatim, in
/// which `/search` and `/reverse` answer in JSON.
package struct OnlineGeocoder: Sendable {
    /// The answer of a geocoder.
    package enum Answer: Hashable, Sendable {
        /// What it knows, at most ``PlaceSearch/listed`` of it; empty for nothing.
        case found([NamedPosition])
        /// There was no usable answer, for this reason.
        case failed(String)
    }

    /// `geocode.url`.
    package let base: String
    private let path: String

    /// The geocoder; `nil` if none is set, and then nobody is asked.
    package init?(_ config: Config, environment: [String: String]) {
        base = config.value(.geocodeURL)
        path = environment["PATH", default: ""]
        if base.isEmpty { return nil }
    }

    /// Where `street` is. The service learns the street and the internet address of this machine.
    package func find(_ street: String) -> Answer {
        ask(Self.searchURL(base, street)) { json throws(FormFault) in
            guard let list = json.list else { throw Self.unknown }
            var found: [NamedPosition] = []
            for item in list.prefix(PlaceSearch.listed) { found.append(try Self.read(item)) }
            return found
        }
    }

    /// What is at `point`. The service learns the position and the internet address of this
    /// machine.
    package func name(of point: Venue.Point) -> Answer {
        ask(Self.reverseURL(base, point)) { json throws(FormFault) in
            // Where it knows nothing it answers with an error of its own.
            json["error"] != nil && json.list == nil ? [] : [try Self.read(json)]
        }
    }

    private func ask(
        _ url: String, _ read: (JSON) throws(FormFault) -> [NamedPosition]
    ) -> Answer {
        do throws(WebQuestion.Trouble) {
            return Self.answer(try WebQuestion.ask(url, path: path), read)
        } catch {
            return .failed(error.why)
        }
    }

    private static func answer(
        _ bytes: [UInt8], _ read: (JSON) throws(FormFault) -> [NamedPosition]
    ) -> Answer {
        guard let json = try? JSON(line: bytes) else { return .failed(unknown.why) }
        do throws(FormFault) {
            return .found(try read(json))
        } catch {
            return .failed(error.why)
        }
    }

    // MARK: Reading

    private static let unknown = FormFault(
        place: "answer", why: "the service did not answer in the form that is known")

    /// Reads `{"lat": "45.5017", "lon": "-73.5673", "display_name": "12, Main St, ..."}`; other
    /// members do not count.
    static func read(_ json: JSON) throws(FormFault) -> NamedPosition {
        guard let lat = json["lat"]?.text, let lon = json["lon"]?.text,
            let at = Venue.Point(cutting: lat, lon), let name = json["display_name"]?.text
        else { throw unknown }
        let shown = visible(name, cells: Gazetteer.nameLimit)
        guard shown.contains(where: { !$0.isWhitespace }) else { throw unknown }
        return NamedPosition(shown, at: at)
    }

    // MARK: Asking

    static func searchURL(_ base: String, _ street: String) -> String {
        "\(base)/search?format=jsonv2&limit=\(PlaceSearch.listed)&q=\(encoded(street))"
    }

    static func reverseURL(_ base: String, _ point: Venue.Point) -> String {
        let parts = point.link.dropFirst("geo:".count).split(separator: ",")
        return "\(base)/reverse?format=jsonv2&lat=\(parts[0])&lon=\(parts[1])"
    }

    /// Everything but letters, digits and `-._~` as `%20` (RFC 3986 section 2).
    private static func encoded(_ text: String) -> String {
        var out = ""
        for unit in text.utf8 {
            let isPlain =
                48...57 ~= unit || 65...90 ~= unit || 97...122 ~= unit || "-._~".utf8.contains(unit)
            out += isPlain ? String(Unicode.Scalar(unit)) : "%" + hexadecimal(unit)
        }
        return out
    }

    private static func hexadecimal(_ unit: UInt8) -> String {
        let digits = String(unit, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
