// SPDX-License-Identifier: Apache-2.0
import Aviation
import Boarding
import CivilTime
import Protocol
import Text

#if PICTURES
    import CZXing
#endif

/// Reads the bar code in a picture of a boarding pass, or of a venue's sign. Only for the process
/// that reads passes, which ends soon: the libraries make copies that nobody can overwrite.
enum PassPicture {
    /// How long a picture is searched, in milliseconds of processor time: ten times as long as a
    /// hard one takes. On a busy machine, it may take two and a half times as long by the clock.
    static let patience: Int64 = 12_000

    #if PICTURES
        /// The library that reads bar codes.
        static let version = String(cString: czxing_version())

        /// Reads the pass in a PNG or JPEG file, as seen on the day `reference`. Throws `bad-pass`.
        static func read(_ file: [UInt8], on reference: FlightDate) throws(UserError)
            -> BoardingPass
        {
            let (search, outcome) = search(file, for: .pass(on: reference))
            if let pass = search.pass { return pass }
            throw refusal(outcome, search)
        }

        /// Reads the link to a venue in a PNG or JPEG file. Throws `bad-venue`.
        static func venue(_ file: [UInt8]) throws(UserError) -> SeatLink {
            let (search, outcome) = search(file, for: .venue)
            if let link = search.link { return link }
            throw refusal(outcome, search)
        }

        private static func search(
            _ file: [UInt8], for purpose: PassPurpose
        ) -> (Search, czxing_outcome) {
            var search = Search(purpose: purpose)
            let outcome = withUnsafeMutablePointer(to: &search) { search in
                file.withUnsafeBufferPointer { bytes in
                    czxing_read(
                        bytes.baseAddress, bytes.count, patience,
                        { context, text, count in
                            guard let context, let text else { return 0 }
                            let search = context.assumingMemoryBound(to: Search.self)
                            return search.pointee.takes(text, count) ? 1 : 0
                        }, search)
                }
            }
            return (search, outcome)
        }

        /// What is kept while codes of a picture are found.
        private struct Search {
            let purpose: PassPurpose
            var pass: BoardingPass?
            var link: SeatLink?
            var refusal: UserError?

            mutating func takes(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
                var bytes = Array(UnsafeBufferPointer(start: text, count: count))
                switch purpose {
                case .pass(let day):
                    do throws(UserError) {
                        pass = try BoardingPass.read(&bytes, on: day)
                    } catch {
                        refusal = error
                    }
                    return pass != nil
                case .venue:
                    let read = try? SeatLink(String(decoding: bytes, as: UTF8.self))
                    guard case .venue? = read else { return false }
                    link = read
                    return true
                }
            }
        }

        private static func refusal(_ outcome: czxing_outcome, _ search: Search) -> UserError {
            let purpose = search.purpose
            func failed(_ what: String, _ why: String) -> UserError {
                UserError(purpose.code, what, why: why, advice: purpose.advice)
            }
            let crop = "a sharp one, or a part that holds the code and little else, may help"
            return switch outcome {
            case czxing_no_picture:
                failed("this picture cannot be read", "the file is damaged or cut off")
            case czxing_too_large:
                failed(
                    "this picture is too large",
                    "more than \(czxing_widest) pixels on a side, or \(czxing_largest) in all")
            case czxing_no_memory:
                failed("this picture is too large", "it needs more memory than it may have")
            case czxing_no_time:
                failed("no bar code was found in this picture in the time it may take", crop)
            case czxing_others:
                failed(
                    "the bar code in this picture is not that of \(purpose.wanted)",
                    search.refusal?.why ?? "its text is none")
            default:
                failed("there is no bar code in this picture that can be read", crop)
            }
        }
    #else
        static let version = "no reader of pictures"

        static func read(_ file: [UInt8], on reference: FlightDate) throws(UserError)
            -> BoardingPass
        { throw PassWorker.noPictures }

        static func venue(_ file: [UInt8]) throws(UserError) -> SeatLink {
            throw PassWorker.noPictures
        }
    #endif
}
