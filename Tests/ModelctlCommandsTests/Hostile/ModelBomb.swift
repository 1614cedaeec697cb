import Testing

/// A model that is small to write and large to look at.
struct ModelBomb: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The text of both versions.
  let text: @Sendable () -> String
  /// The text of the error; nil if the model is valid.
  let refusal: String?

  private init(_ name: String, refusal: String? = nil, text: @escaping @Sendable () -> String) {
    testDescription = name
    self.refusal = refusal
    self.text = text
  }

  private static func model(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model userDefinedModelVersionIdentifier=\"\">\n\(body)</model>\n"
  }

  private static func entity(_ name: String, _ body: String = "", with attributes: String = "") -> String {
    "<entity name=\"\(name)\" \(attributes)>\(body)</entity>\n"
  }

  private static func attributes(_ count: Int, _ more: String = "") -> String {
    (0..<count).map { "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\" \(more)/>" }.joined()
  }

  static let all: [ModelBomb] = [
    ModelBomb("ten thousand entities with one renaming identifier", refusal: "the number of its entities exceeds") {
      model((0..<10_000).map { entity("A\($0)", with: "elementID=\"same\"") }.joined())
    },
    ModelBomb("as many as may be, with one renaming identifier") {
      model((0..<2000).map { entity("A\($0)", attributes(5), with: "elementID=\"same\"") }.joined())
    },
    ModelBomb("a chain of ten thousand parents", refusal: "exceeds the limit of") {
      model((0..<10_000).map { entity("A\($0)", with: $0 == 0 ? "" : "parentEntity=\"A\($0 - 1)\"") }.joined())
    },
    ModelBomb("a chain of two thousand parents", refusal: "the depth of its inheritance exceeds the limit of 100") {
      model((0..<2000).map { entity("A\($0)", with: $0 == 0 ? "" : "parentEntity=\"A\($0 - 1)\"") }.joined())
    },
    ModelBomb("parents in a circle", refusal: "the depth of its inheritance exceeds the limit of 100") {
      model((0..<2000).map { entity("A\($0)", with: "parentEntity=\"A\(($0 + 1) % 2000)\"") }.joined())
    },
    ModelBomb("two parents of each other", refusal: "in a cycle: A → B → A") {
      model(entity("A", with: "parentEntity=\"B\"") + entity("B", with: "parentEntity=\"A\""))
    },
    ModelBomb("a parent of a thousand that has a thousand attributes", refusal: "the number of all properties") {
      model(
        entity("P", attributes(1000)) + (0..<1000).map { entity("A\($0)", with: "parentEntity=\"P\"") }.joined())
    },
    ModelBomb("twenty thousand attributes", refusal: "the number of an entity's properties, inherited ones included") {
      model(entity("A", attributes(20_000)))
    },
    ModelBomb("as many attributes as may be, with one renaming identifier") {
      model(entity("A", attributes(2000, "elementID=\"same\"")))
    },
    ModelBomb("a name of a million letters", refusal: "the length of a name exceeds the limit of 10000") {
      model(entity(String(repeating: "A", count: 1_000_000), attributes(1)))
    },
    ModelBomb("ten thousand indexes", refusal: "the number of an entity's indexes, constraints") {
      model(entity("A", attributes(1) + (0..<10_000).map { "<fetchIndex name=\"i\($0)\"/>" }.joined()))
    },
    ModelBomb("composite types that double a hundred times", refusal: "composite") {
      let types = (0..<100).map { number in
        "<composite name=\"C\(number)\">"
          + "xy".map { "<attribute name=\"\($0)\" attributeType=\"Composite\" composite=\"C\(number + 1)\"/>" }.joined()
          + "</composite>"
      }
      return model(
        types.joined() + entity("A", "<attribute name=\"c\" attributeType=\"Composite\" composite=\"C0\"/>"))
    },
    ModelBomb("a composite type in itself", refusal: "C") {
      model(
        "<composite name=\"C\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/></composite>"
          + entity("A", "<attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/>"))
    },
    ModelBomb("a hundred thousand elements in each other", refusal: "the nesting of its elements exceeds") {
      "<model>" + String(repeating: "<a>", count: 100_000)
    },
    ModelBomb("a million elements", refusal: "the number of its elements exceeds") {
      model(String(repeating: "<a/>", count: 1_000_000))
    },
    ModelBomb("entities that expand", refusal: "entity declarations are not accepted") {
      let lines = (1..<30).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }
      return "<!DOCTYPE model [<!ENTITY e0 \"x\">\(lines.joined())]><model><entity name=\"&e29;\"/></model>"
    },
    ModelBomb("a regular expression that explodes") {
      let text = "regularExpressionString=\"(a+)+$\" defaultValueString=\"\(String(repeating: "a", count: 5000))b\""
      return model(entity("A", "<attribute name=\"a\" optional=\"YES\" attributeType=\"String\" \(text)/>"))
    },
    ModelBomb("a derivation nested a hundred thousand deep") {
      let deep = String(repeating: "(", count: 100_000) + "a" + String(repeating: ")", count: 100_000)
      return model(
        entity(
          "A",
          "<attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"d\" optional=\"YES\" "
            + "attributeType=\"String\" derived=\"YES\" derivationExpression=\"\(deep)\"/>"))
    },
  ]
}
