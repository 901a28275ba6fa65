// SPDX-License-Identifier: Apache-2.0
import CLinux
package import Protocol

/// Gives memory back to the system that was freed between what stays.
///
/// A handshake takes some tens of kilobytes for a moment, and leaves what it keeps above them. The
/// allocator gives back the end of its heap alone, unless it is asked.
package final class FreedMemory {
    /// By then a new link has told what there is to tell, and many that
    /// come together are one burst.
    static let after = TimeSpan.seconds(5)

    private let loop: EventLoop
    private var timer: TimerToken?
    private var handshaken: Set<LinkID> = []

    /// Gives memory back in turns of `loop`.
    package init(_ loop: EventLoop) { self.loop = loop }

    /// A link whose handshake is done.
    package func comes(_ link: LinkID) {
        handshaken.insert(link)
        look()
    }

    /// A link has ended. One that nobody answered had little.
    package func goes(_ link: LinkID) {
        if handshaken.remove(link) != nil { look() }
    }

    /// Whether memory is given back soon.
    var isDue: Bool { timer != nil }

    private func look() {
        guard timer == nil else { return }
        timer = loop.schedule(at: loop.clock() + Self.after) { [weak self] in
            self?.timer = nil
            malloc_trim(0)
        }
    }
}
