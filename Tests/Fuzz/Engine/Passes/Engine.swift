// SPDX-License-Identifier: Apache-2.0
import FuzzKit

private let target = Engine.target(among: FuzzTarget.passes)

/// What libFuzzer calls for every input.
@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    _ = target.run(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}
