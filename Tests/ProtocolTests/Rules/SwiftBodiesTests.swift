// SPDX-License-Identifier: Apache-2.0
import Testing

/// The scanner that the house numbers are measured with.
@Suite struct SwiftBodiesTests {
    private func bodies(_ text: String) -> [[Int]] {
        let found = SwiftBodies(Array(text.utf8))
        #expect(!found.isTangled)
        return found.bodies.map { [$0.first, $0.last] }
    }

    @Test func functionsWhoseSignatureWrapsAreMeasured() {
        let text = """
            struct A {
                @Test(arguments: [1, 2])
                func f(
                    _ x: Int,
                    y: [Int] = [1, 2]
                ) throws -> Int {
                    let z = x
                    return z
                }
            }
            """
        #expect(bodies(text) == [[3, 9]])
    }

    @Test func initialisersPropertiesAndSubscriptsAreMeasured() {
        let text = """
            extension A where B: C {
                var one: Int { 1 }
                let two = 2
                init?(_ x: Int) {
                    if x > 0 { return nil }
                }
                subscript(x: Int) -> Int {
                    get { x }
                    set { two = x }
                }
                deinit { end() }
            }
            protocol P { var x: Int { get } }
            """
        #expect(bodies(text) == [[2, 2], [4, 6], [7, 10], [11, 11], [13, 13]])
    }

    @Test func whatStandsInsideABodyBelongsToIt() {
        let text = """
            enum E {
                static func f() {
                    struct Local { var x: Int { 1 } }
                    func g() { h { $0 } }
                }
                class var x: Int { 1 }
                indirect enum F { case a }
            }
            func last() {}
            """
        #expect(bodies(text) == [[2, 5], [6, 6], [9, 9]])
    }

    @Test func closuresOfPropertiesAreMeasuredAndTablesAreNot() {
        let text = """
            struct A {
                static let table = [
                    Row { 1 },
                    Row {
                        2
                    },
                ]
                let first: Int = {
                    3
                }()
                var plain = Self.init()
            }
            """
        #expect(bodies(text) == [[3, 3], [4, 6], [8, 10]])
    }

    @Test func bracesInStringsAndCommentsAreNone() {
        let text = ##"""
            // {
            /* { /* { */ } */
            func f() {
                print("{ \(g(["}": "\(h { 1 })"])) \" {", #"{ " \(} \#(i { 2 })"#)
                print('''
                    } " \("}") {
                    \
                    ''')
            }
            """##.replacing("'''", with: "\"\"\"")
        #expect(bodies(text) == [[3, 9]])
    }

    @Test(arguments: ["func f() {", "}", "let a = \"b", "/* ", "func f(() {}", "f(\"\\(\")"])
    func whatIsNotSwiftIsTangled(text: String) {
        #expect(SwiftBodies(Array(text.utf8)).isTangled)
    }
}
