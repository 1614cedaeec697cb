import Foundation
import TestSupport
import Testing

@Suite("The compiler refuses invalid models")
struct CompilerTests {
  /// A line each; those that end in `// refused` must not compile, all others must.
  static let lines = """
    import Foundation
    import ModelDescription
    struct Plain {}
    let a1 = Attribute("number", .integer16, default: 1)
    let a2 = Attribute("number", .integer16, default: "1")  // refused
    let a4 = Attribute("number", .integer32, default: 1.5)  // refused
    let a5 = Attribute("price", .decimal, default: "1")  // refused
    let a6 = Attribute("name", .string, default: 1)  // refused
    let a7 = Attribute("isPaid", .boolean, default: 0)  // refused
    let a8 = Attribute("date", .date, default: 0.0)  // refused
    let a9 = Attribute("color", .transformable, default: Data())  // refused
    let b1 = Attribute("name", .string).maximumLength(3)
    let b2 = Attribute("name", .string).maximum(3)  // refused
    let b3 = Attribute("number", .integer16).maximumLength(3)  // refused
    let b4 = Attribute("number", .integer16).regularExpression("[0-9]")  // refused
    let b5 = Attribute("isPaid", .boolean).minimum(false)  // refused
    let b6 = Attribute("number", .integer64).allowsExternalBinaryDataStorage()  // refused
    let c1 = Relationship("rows", toMany: "Row").ordered()
    let c2 = Relationship("order", toOne: "Order").ordered()  // refused
    let c3 = Relationship("order", toOne: "Order").maxCount(3)  // refused
    let c4 = Relationship("order", toOne: "Order").minCount(1)
    let c5 = Relationship("order", toOne: "Order").derived(from: "x")  // refused
    let c6 = Relationship("order", toOne: Plain.self)  // refused
    let c7 = Relationship("order")  // refused
    let d1 = Composite("Place") { Attribute("city", .string) }
    let d2 = Composite("Place") { Relationship("city", toOne: "City") }  // refused
    let d3 = Entity("Order") { Entity("Row") }  // refused
    let d4 = ManagedObjectModel { Attribute("name", .string) }  // refused
    let d5 = ManagedObjectModel { Plain.self }  // refused
    let d6 = Entity("Order", parent: 1)  // refused
    """

  @Test("Each wrong line, and no other, is an error")
  func refused() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("Lines.swift")
    try Self.lines.write(to: file, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().check([file])
    let numbers = result.output.matches(of: /Lines\.swift:(\d+):\d+: error:/).compactMap { Int($0.1) }
    let wrong = Self.lines.split(separator: "\n").enumerated().filter { $0.element.hasSuffix("// refused") }
    #expect(Set(numbers) == Set(wrong.map { $0.offset + 1 }), "\(result.output)")
    #expect(wrong.count == 22)
  }

  @Test("An integer that does not fit is an error, once types are known to be right")
  func overflow() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("Lines.swift")
    try """
    import ModelDescription
    let a = Attribute("number", .integer16, default: 32_767)
    let b = Attribute("number", .integer16, default: 32_768)
    let c = Attribute("number", .integer32, default: 32_768)
    """.write(to: file, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().check([file], isDeep: true)
    #expect(result.output.matches(of: /Lines\.swift:(\d+):\d+: error:/).map(\.1) == ["3"], "\(result.output)")
  }
}
