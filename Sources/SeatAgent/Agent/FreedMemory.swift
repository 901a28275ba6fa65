import CLinux
import Protocol

/// Gives memory back to the system that was freed between what stays.
///
/// A handshake takes some tens of kilobytes for a moment, and leaves what it keeps above them. The
/// allocator gives back the end of its heap alone, unless it is asked.
final class FreedMemory {
    /// By then a new link has told what there is to tell, and many that come together are one burst.
    static let after = TimeSpan.seconds(5)

    private let loop: EventLoop
    private var timer: TimerToken?

    init(_ loop: EventLoop) { self.loop = loop }

    /// Something that takes memory for a moment has begun or ended.
    func comes() {
        guard timer == nil else { return }
        timer = loop.schedule(at: loop.clock() + Self.after) { [weak self] in
            self?.timer = nil
            malloc_trim(0)
        }
    }
}
