// SPDX-License-Identifier: Apache-2.0
extension Range<Int> {
    /// The first index for which `isBefore` does not hold, where it holds for all before that and
    /// for none after: a binary search. The upper bound if it holds for all. O(log n).
    @inlinable
    @inline(__always)
    package func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            // Halved as two positive numbers: the sum of two indices is not out of range.
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Array {
    /// The index of the first element for which `isBefore` does not hold, in an array sorted so
    /// that it holds for all before that and for none after. O(log n).
    @inlinable
    @inline(__always)
    package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        indices.partitionPoint { isBefore(self[$0]) }
    }
}
