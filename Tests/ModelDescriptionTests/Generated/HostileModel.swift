import Foundation
import ModelDescription

/// A model with everything that could end a literal, a comment, an identifier or the patience of a compiler.
enum HostileModel {
  static let words = [
    "class", "self", "Self", "Type", "init", "_", "é", "日本", "1st", "a b", "a\"b", "a\\(b)", "a\nb",
    "a\u{2028}b", "*/ a", "// a", "\u{202E}evil", "👩‍👩‍👧", "order", "Order", "ORDER", "Date", "Set", "String", "model",
    "../../x", "hashValue", "objectID", "self_", "\u{301}mark", "`tick`", "#if", "nil", "Optional", "Foundation",
  ]

  static let model: ManagedObjectModel = {
    var model = ManagedObjectModel(entities: words.map(entity), versionIdentifiers: ["1.0 \"beta\""])
    model.composites = [
      CompositeDescription(name: "Place", elements: [attribute("city", .string), attribute("self", .double)]),
      CompositeDescription(name: "order", elements: []),
    ]
    model.configurations = [ModelConfiguration(name: "class", entityNames: Array(words.prefix(3)))]
    model.fetchRequests = [
      FetchRequestDescription(name: "a\"b", entityName: "class", predicate: "x == \"\\(y)\"", settings: ["k": "\n"])
    ]
    model.entities.append(values)
    model.entities.append(relationships)
    model.entities.append(large)
    // Made by the builder once, so that composites have their elements.
    let parts = model
    return ManagedObjectModel(versionIdentifiers: parts.versionIdentifiers) {
      for entity in parts.entities { entity }
      Composite("Place") { for element in parts.composites[0].elements { element } }
      Composite("order") {}
      Configuration("class") { for name in parts.configurations[0].entityNames { name } }
      FetchRequestTemplate("a\"b", of: "class", predicate: "x == \"\\(y)\"", settings: ["k": "\n"])
    }
  }()

  private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type)
  }

  private static func entity(_ word: String) -> EntityDescription {
    EntityDescription(
      name: word, className: word + "\u{0}", superentityName: word == "class" ? nil : "class",
      attributes: (word == "class" ? words : []).map {
        AttributeDescription(
          name: $0, type: .string, isOptional: true, defaultValue: .string($0), userInfo: [$0: "\($0)\n\n\($0)"])
      },
      renamingIdentifier: word, versionHashModifier: word, userInfo: ["documentation": "a\n\n/* b\r\(word)"],
      codeGeneration: word)
  }

  private static let large = EntityDescription(
    name: "Large",
    attributes: (0..<450).map { number in
      AttributeDescription(name: "a\(number)", type: .integer16, defaultValue: .integer(Int64(number)))
    },
    relationships: [RelationshipDescription(name: "r", destinationEntityName: "Large", maxCount: 1)])

  private static let typedValues: [(AttributeType, AttributeValue?)] = [
    (.integer16, .integer(70_000)), (.integer32, .integer(.max)), (.integer64, .integer(.min)),
    (.integer64, .string("text")), (.double, .double(.nan)), (.double, .double(-.infinity)), (.double, .double(-0.0)),
    (.double, .double(.leastNonzeroMagnitude)), (.double, .double(.greatestFiniteMagnitude)),
    (.double, .double(0.1 + 0.2)), (.float, .double(1e300)), (.float, .double(0.1)), (.float, .double(16_777_217)),
    (.decimal, .decimal(Decimal(string: "0.1") ?? 0)), (.decimal, .decimal(Decimal(string: "-3.133") ?? 0)),
    (.decimal, .decimal(Decimal(string: "12345678901234567890123456789.123456789") ?? 0)),
    (.decimal, .decimal(Decimal(string: "1e100") ?? 0)), (.decimal, .decimal(Decimal(string: "-9e-120") ?? 0)),
    (.decimal, .decimal(.nan)), (.date, .date(-1e12)), (.date, .date(0.1)), (.date, .date(.nan)),
    (.binary, .binary(Data())), (.binary, .binary(Data(0...255))), (.uuid, .uuid(UUID(uuid: noUUID))),
    (.uri, .uri("not a\"uri \\(x)")), (.boolean, .integer(1)), (.undefined, .string("x")), (.transformable, nil),
    (.string, .string("e\u{301}")),
    (.objectID, nil), (.composite, nil), (.string, .string("\u{FEFF}\u{200D}\u{0}\r\n\t'")),
  ]

  private static let values = EntityDescription(
    name: "Values", attributes: typedValues.enumerated().map { attribute($0.offset, $0.element.0, $0.element.1) })

  private static func attribute(
    _ number: Int, _ type: AttributeType, _ value: AttributeValue?
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name: "value\(number)", type: type, defaultValue: value)
    attribute.validation.minimum = value
    if number.isMultiple(of: 2) { attribute.validation.maximum = value }
    if number.isMultiple(of: 3) { attribute.validation.regularExpression = "\\d\"" }
    attribute.usesScalarValueType = [nil, true, false][number % 3]
    attribute.allowsExternalBinaryDataStorage = number.isMultiple(of: 5)
    if number.isMultiple(of: 7) { attribute.derivation = Derivation(expression: "a\"b") }
    if number.isMultiple(of: 14) { attribute.derivation?.filterPredicate = "\\(c)" }
    if type == .composite { attribute.compositeName = "Place" }
    if number.isMultiple(of: 11) { attribute.valueClassName = "NSColor" }
    attribute.isSyncable = number.isMultiple(of: 4)
    return attribute
  }

  private static func relationship(_ number: Int) -> RelationshipDescription {
    let counts = [0, 1, -3, Int.max]
    var relationship = RelationshipDescription(
      name: "r\(number)", destinationEntityName: number % 7 == 6 ? nil : words[number % words.count],
      minCount: counts[number % 4], maxCount: counts[number / 4 % 4], deleteRule: DeleteRule.allCases[number % 4])
    if !number.isMultiple(of: 3) { relationship.inverseName = "a\"b" }
    if !number.isMultiple(of: 4) { relationship.inverseEntityName = "class" }
    relationship.isOptional = number.isMultiple(of: 2)
    relationship.isTransient = number.isMultiple(of: 5)
    relationship.isOrdered = number.isMultiple(of: 6)
    relationship.isIndexed = number.isMultiple(of: 9)
    if number.isMultiple(of: 8) { relationship.userInfo = ["\\(k)": "\""] }
    relationship.isSyncable = number.isMultiple(of: 10)
    return relationship
  }

  private static let relationships = EntityDescription(
    name: "Relationships",
    relationships: (0..<48).map(relationship),
    fetchedProperties: [
      FetchedPropertyDescription(name: "f\"1", isOptional: true),
      FetchedPropertyDescription(
        name: "f2", fetchRequest: FetchRequestDescription(name: "own", entityName: "\\(x)", predicate: "\n")),
    ],
    fetchIndexes: [
      FetchIndexDescription(name: "i\"", elements: [], partialIndexPredicate: "\\(x)"),
      FetchIndexDescription(
        name: "j",
        elements: [
          .init(subject: .property("a"), kind: .rTree, isAscending: false), .init(subject: .expression("\"")),
        ]),
    ],
    compoundIndexes: [[], ["a\"", "b"]], uniquenessConstraints: [["\\(x)"]])
}

/// The UUID of nothing but zeros.
private let noUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
