// SPDX-License-Identifier: Apache-2.0
extension Array {
    /// The index of the first element whose key is not before `key`, in an
    /// array sorted by the keys.
    ///
    /// Keys are spread evenly unless somebody chose them. So the search begins where an even spread
    /// has `key` and goes outward in doubled steps: a few looks side by side, where halving looks
    /// all over memory. O(log n) for keys of any kind.
    @inline(__always)
    func place(of key: PeerKey, by path: (Element) -> PeerKey) -> Int {
        let guess = Int(key.raw.prefix8.multipliedFullWidth(by: UInt64(count)).high)
        var (low, high) = (0, count)
        var (next, step) = (guess, 1)
        // The answer is never outside of low...high, and `next` is always between the two.
        while low < high, low <= next, next < high {
            if path(self[next]) < key {
                low = next + 1
                guard next >= guess else { break }
                next += step
            } else {
                high = next
                guard next <= guess else { break }
                next -= step
            }
            step *= 2
        }
        return (low..<high).partitionPoint { path(self[$0]) < key }
    }
}
