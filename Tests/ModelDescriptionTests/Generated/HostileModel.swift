import Foundation
import ModelDescription

/// A model with everything that could end a literal, a comment, an identifier or the patience of a compiler.
enum HostileModel {
  static let words = [
    "class", "self", "Self", "Type", "init", "_", "é", "e\u{301}", "日本", "1st", "a b", "a\"b", "a\\(b)", "a\nb",
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

  private static let values = EntityDescription(
    name: "Values",
    attributes: [
      (.integer16, .integer(70_000)), (.integer32, .integer(.max)), (.integer64, .integer(.min)),
      (.integer64, .string("text")), (.double, .double(.nan)), (.double, .double(-.infinity)), (.double, .double(-0.0)),
      (.double, .double(.leastNonzeroMagnitude)), (.double, .double(.greatestFiniteMagnitude)),
      (.double, .double(0.1 + 0.2)), (.float, .double(1e300)), (.float, .double(0.1)), (.float, .double(16_777_217)),
      (.decimal, .decimal(Decimal(string: "0.1") ?? 0)), (.decimal, .decimal(Decimal(string: "-3.133") ?? 0)),
      (.decimal, .decimal(Decimal(string: "12345678901234567890123456789.123456789") ?? 0)),
      (.decimal, .decimal(Decimal(string: "1e100") ?? 0)), (.decimal, .decimal(Decimal(string: "-9e-120") ?? 0)),
      (.decimal, .decimal(.nan)), (.date, .date(-1e12)), (.date, .date(0.1)), (.date, .date(.nan)),
      (.binary, .binary(Data())), (.binary, .binary(Data(0...255))), (.uuid, .uuid(UUID(uuid: UUID_NULL))),
      (.uri, .uri("not a\"uri \\(x)")), (.boolean, .integer(1)), (.undefined, .string("x")), (.transformable, nil),
      (.objectID, nil), (.composite, nil), (.string, .string("\u{FEFF}\u{200D}\u{0}\r\n\t'")),
    ].enumerated().map { position, pair in
      var attribute = AttributeDescription(name: "value\(position)", type: pair.0, defaultValue: pair.1)
      attribute.validation = AttributeValidation(
        minimum: pair.1, maximum: position % 2 == 0 ? pair.1 : nil, regularExpression: position % 3 == 0 ? "\\d\"" : nil
      )
      attribute.usesScalarValueType = [nil, true, false][position % 3]
      attribute.allowsExternalBinaryDataStorage = position % 5 == 0
      attribute.derivation =
        position % 7 == 0 ? Derivation(expression: "a\"b", filterPredicate: position % 2 == 0 ? "\\(c)" : nil) : nil
      attribute.compositeName = pair.0 == .composite ? "Place" : nil
      attribute.valueClassName = position % 11 == 0 ? "NSColor" : nil
      attribute.isSyncable = position % 4 == 0
      return attribute
    })

  private static let relationships = EntityDescription(
    name: "Relationships",
    relationships: (0..<48).map { number in
      RelationshipDescription(
        name: "r\(number)", destinationEntityName: number % 7 == 6 ? nil : words[number % words.count],
        inverseName: number % 3 == 0 ? nil : "a\"b", inverseEntityName: number % 4 == 0 ? nil : "class",
        isOptional: number % 2 == 0, isTransient: number % 5 == 0, minCount: [0, 1, -3, .max][number % 4],
        maxCount: [0, 1, 7, .max][number / 4 % 4], isOrdered: number % 6 == 0,
        deleteRule: DeleteRule.allCases[number % 4], isIndexed: number % 9 == 0,
        userInfo: number % 8 == 0 ? ["\\(k)": "\""] : [:], isSyncable: number % 10 == 0)
    },
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
private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
