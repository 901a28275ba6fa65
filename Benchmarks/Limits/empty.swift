// SPDX-License-Identifier: Apache-2.0
/// A program that does nothing: what a start costs in this language.
@main
struct Empty {
    static func main() {}
}
