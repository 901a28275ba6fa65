// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The target of this process, by the environment; where it names none, all are listed.
private let target: FuzzTarget = {
    let name = getenv("SEATAGENT_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
        for target in FuzzTarget.all { print("target \(target.name) \(target.longest)") }
        // Not `exit`: libFuzzer would call that a find.
        fflush(nil)
        _exit(2)
    }
    return target
}()

/// What libFuzzer calls for every input.
@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    _ = target.run(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}
