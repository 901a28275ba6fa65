// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What the agenda of a simulated world holds.
enum SimHappening {
    case event(host: Int, process: Int, NodeEvent)
    case arrival(wire: Int, end: Int)
    case tick(host: Int, process: Int, at: Int64)
    case commit(host: Int, process: Int)
    case dialled(host: Int, process: Int, Dial)
    case then((SimWorld) -> Void)
}
