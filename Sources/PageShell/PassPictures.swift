// SPDX-License-Identifier: Apache-2.0
import Aviation
import Boarding
import CivilTime
import Glibc
import Protocol
import System
import Text
import Web

/// Reads pictures of boarding passes for people who want to come in: each goes to the process that
/// is made for strangers' pictures, and nowhere else; nothing of it is kept (docs/page.md
/// section 5).
final class PassPictures {
    /// The longest picture, in bytes; more do not fit into a request.
    static let most = 49_000
    /// How long one may be searched. The page makes it small, so a good one takes less than one.
    private static let patience = TimeSpan.seconds(5)

    private let loop: EventLoop
    private var limits = PictureLimits<Address.Host?>()

    init(loop: EventLoop) { self.loop = loop }

    /// Reads the picture that stands in Base64 in what a page asks; `then` is called once with the
    /// flights and seats on it, or what is wrong.
    func read(
        _ arguments: [String: JSON], from: Address.Host?,
        then: @escaping (Result<JSON, UserError>) -> Void
    ) {
        guard let text = arguments["picture"]?.text, text.utf8.count <= (Self.most + 2) / 3 * 4,
            let picture = Base64.decode(text), PassFormat(picture) == .picture
        else { return then(.failure(Self.noPicture)) }
        guard let today = LocalDay(SystemClock.utc()).flatMap({ FlightDate($0.text) }) else {
            return then(.failure(Self.noDay))
        }
        switch limits.begin(from: from, at: loop.clock()) {
        case .busy: return then(.failure(Self.busy))
        case .tries: return then(.failure(Self.often))
        case nil: break
        }
        SideWork.run(on: loop) {
            Self.read(picture, on: today)
        } then: { [weak self] result in
            if let self { limits.end(at: loop.clock()) }
            then(result)
        }
    }

    private static func read(_ picture: [UInt8], on today: FlightDate) -> Result<JSON, UserError> {
        do throws(UserError) {
            let descriptor = try PassInput.copy(picture)
            defer { close(descriptor) }
            let reading = try PassWorker.read(descriptor, on: today, patience: patience)
            return .success(["legs": .array(reading.pass.legs.map(\.json))])
        } catch {
            // A command line helps nobody who has a phone.
            return .failure(UserError(error.code, error.what, why: error.why))
        }
    }

    private static let noPicture = UserError(
        .badPass, "this is no picture that is read here", why: "a small PNG or JPEG is")
    private static let noDay = UserError(.failed, "the clock of the laptop shows no usable date")
    private static let busy = UserError(
        .notAllowedNow, "another picture is being read", why: "try again in a moment")
    private static let often = UserError(
        .notAllowedNow, "many pictures have come from this phone", why: "type your seat")
}
