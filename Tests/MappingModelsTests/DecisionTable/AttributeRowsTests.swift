import Foundation
import MappingModels
import ModelComparison
import ModelDescription
import Testing

@Suite("Decision table: attributes that are added, removed and changed (rows 5–19)")
struct AttributeRowsTests {
  @Test("row 5: an optional attribute is added; a declared default reaches existing rows")
  func row05() throws {
    let pair = try ModelPair([], to: [.text("note"), .text("state") { $0.defaultValue = .string("new") }])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(pair.inferability(of: "Order.note") == ["inferable"])
    #expect(try pair.attribute("note") == AttributeMapping(origin: .constant(nil)))
    #expect(try pair.attribute("state") == AttributeMapping(origin: .constant(.string("new"))))
    #expect(try pair.requirements() == [])
  }

  @Test("row 6: a required attribute is added with a default")
  func row06() throws {
    let required = AttributeDescription(name: "count", type: .integer16, defaultValue: .integer(1))
    let pair = try ModelPair([], to: [required])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.inferability(of: "Order.count") == ["inferable"])
    #expect(try pair.attribute("count") == AttributeMapping(origin: .constant(.integer(1))))
    #expect(try pair.requirements() == [])
  }

  @Test("row 7: a required attribute is added without a default: only a store without such rows migrates")
  func row07() throws {
    let pair = try ModelPair([], to: [AttributeDescription(name: "count", type: .integer16)])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(pair.inferability(of: "Order.count") == ["the entity has no rows"])
    let requirement = try #require(try pair.requirements().first)
    #expect(requirement == .mandatoryAttribute(entity: "Order", attribute: "count"))
    #expect(requirement.code.rawValue == 134110)
    #expect(requirement.reason == "Validation error missing attribute values on mandatory destination attribute")
    #expect(
      requirement.remedy?.advice.text == "give every row without a value the same value: --fill Order.count=VALUE"
    )
    let filled = InferenceOptions(fills: ["Order.count": .integer(3)])
    #expect(try pair.requirements(filled) == [])
    #expect(
      try pair.mapping(filled).entityMappings[0].attribute("count")
        == AttributeMapping(origin: .constant(.integer(3)))
    )
  }

  @Test("row 7: a value of another type fills nothing")
  func row07Unsuitable() throws {
    let pair = try ModelPair([], to: [AttributeDescription(name: "count", type: .integer16)])
    let failure = try #require(pair.failure(InferenceOptions(fills: ["Order.count": .string("3")])))
    #expect(failure.explanation.sentence == "the value to fill Order.count with is not a valid Integer 16")
  }

  @Test("row 8: an attribute is removed")
  func row08() throws {
    let pair = try ModelPair([.text("note")], to: [])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(pair.inferability(of: "Order.note") == ["inferable"])
    #expect(try pair.losses() == ["Order.note: attributeRemoved"])
  }

  @Test("row 9: an attribute is renamed by its identifier")
  func row09() throws {
    let pair = try ModelPair([.text("note")], to: [.text("remark") { $0.renamingIdentifier = "note" }])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(try pair.attribute("remark") == AttributeMapping(origin: .source("note")))
    #expect(try pair.losses() == [])
  }

  @Test("row 10: an attribute is renamed without an identifier: lost, and the difference shows it")
  func row10() throws {
    let pair = try ModelPair([.text("note")], to: [.text("remark")])
    #expect(try pair.attribute("remark") == AttributeMapping(origin: .constant(nil)))
    #expect(try pair.losses() == ["Order.note: attributeRemoved"])
    #expect(
      pair.difference.hints == [
        .looksLikeRename(
          source: .property(entity: "Order", name: "note"),
          destination: .property(entity: "Order", name: "remark"),
          identifier: "note"
        )
      ]
    )
  }

  @Test("row 11: required becomes optional")
  func row11() throws {
    let pair = try ModelPair([.text("note") { $0.isOptional = false }], to: [.text("note")])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(pair.inferability(of: "Order.note") == ["inferable"])
    #expect(try pair.attribute("note") == AttributeMapping(origin: .source("note")))
  }

  @Test("row 12: optional becomes required with a default")
  func row12() throws {
    let required = AttributeDescription(name: "note", type: .string, defaultValue: .string("none"))
    let pair = try ModelPair([.text("note")], to: [required])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(
      try pair.attribute("note") == AttributeMapping(origin: .source("note"), steps: [.replaceNil(.string("none"))])
    )
    #expect(try pair.requirements() == [])
  }

  @Test("row 13: optional becomes required without a default: no row may lack a value, or one is given")
  func row13() throws {
    let pair = try ModelPair([.text("note")], to: [.text("note") { $0.isOptional = false }])
    #expect(pair.inferability(of: "Order.note") == ["no row lacks a value"])
    #expect(try pair.requirements() == [.mandatoryAttribute(entity: "Order", attribute: "note")])
    let filled = InferenceOptions(fills: ["Order.note": .string("-")])
    #expect(try pair.requirements(filled) == [])
    #expect(
      try pair.mapping(filled).entityMappings[0].attribute("note")?.steps == [.replaceNil(.string("-"))]
    )
  }

  @Test(
    "row 14: numbers are converted; values that may not fit are checked and reported",
    arguments: [
      (AttributeType.integer16, AttributeType.integer32, true), (.integer16, .integer64, true),
      (.integer32, .integer64, true), (.integer64, .decimal, true), (.float, .double, true),
      (.integer32, .integer16, false), (.integer64, .double, false), (.double, .integer32, false),
      (.double, .float, false), (.decimal, .double, false),
    ]
  )
  func row14(former: AttributeType, latter: AttributeType, isExact: Bool) throws {
    let pair = try ModelPair([.number("size", former)], to: [.number("size", latter)])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
    #expect(
      try pair.attribute("size")
        == AttributeMapping(origin: .source("size"), steps: [.convert(from: former, to: latter)])
    )
    let conversions = [TypeConversion(from: former, to: latter)]
    #expect(
      try pair.requirements() == (isExact ? [] : [.fits(entity: "Order", attribute: "size", conversions: conversions)])
    )
    let losses = try pair.mapping().losses(source: pair.source, destination: pair.destination)
    #expect(losses.map(\.kind) == (isExact ? [] : [.narrowing(conversions)]))
    #expect(
      pair.inferability(of: "Order.size")
        == [isExact ? "inferable" : "every value fits \(latter.name)"]
    )
  }

  @Test("row 15: Boolean and integers", arguments: [AttributeType.integer16, .integer32, .integer64])
  func row15(integer: AttributeType) throws {
    let widened = try ModelPair([.number("flag", .boolean)], to: [.number("flag", integer)])
    #expect(try widened.entitiesWithNewHash() == ["Order"])
    #expect(try widened.attribute("flag")?.steps == [.convert(from: .boolean, to: integer)])
    #expect(try widened.requirements() == [])
    let narrowed = try ModelPair([.number("flag", integer)], to: [.number("flag", .boolean)])
    let requirement = try #require(try narrowed.requirements().first)
    #expect(requirement.remedy?.advice.text == "convert the values: --cast Order.flag")
  }

  @Test(
    "row 16: any other change of type is refused as Core Data refuses it",
    arguments: [
      (AttributeType.string, AttributeType.date), (.string, .integer32), (.string, .binary), (.date, .double),
      (.boolean, .double), (.uuid, .string), (.transformable, .string), (.undefined, .string), (.string, .composite),
    ]
  )
  func row16(former: AttributeType, latter: AttributeType) throws {
    let element = AttributeDescription(name: "x", type: .string)
    let pair = try ModelPair(
      [.number("value", former)],
      to: [.number("value", latter) { $0.elements = latter == .composite ? [element] : [] }]
    )
    let failure = try #require(pair.failure())
    #expect(failure.code?.rawValue == 134190)
    #expect(failure.reason == "Source and destination attribute types are incompatible")
    #expect(failure.element == .property(entity: "Order", name: "value"))
    #expect(pair.refused.count == 1)
    #expect(pair.difference.entitiesWithNewHash == ["Order"])
  }

  @Test("row 16: --cast converts, named by the declaring entity or the concrete one", arguments: ["Base", "Order"])
  func row16Cast(entity: String) throws {
    let order = EntityDescription(name: "Order", superentityName: "Base")
    let pair = try ModelPair(
      [EntityDescription(name: "Base", isAbstract: true, attributes: [.text("value")]), order],
      [EntityDescription(name: "Base", isAbstract: true, attributes: [.number("value", .integer32)]), order]
    )
    let options = InferenceOptions(casts: ["\(entity).value"])
    if entity == "Base" {
      let mapping = try pair.mapping(options).mapping(toDestination: "Order")
      #expect(mapping?.attribute("value")?.steps == [.convert(from: .string, to: .integer32)])
      #expect(
        try pair.requirements(options) == [
          .fits(
            entity: "Order",
            attribute: "value",
            conversions: [TypeConversion(from: .string, to: .integer32)]
          )
        ]
      )
    } else {
      #expect(try pair.mapping(options).mapping(toDestination: "Order") != nil)
    }
    #expect(options.unmatchedNames(in: pair.destination) == [])
    #expect(InferenceOptions(casts: ["Order.valeu"]).unmatchedNames(in: pair.destination) == ["Order.valeu"])
  }

  @Test("row 17: binary data and transformable values are the same bytes")
  func row17() throws {
    let pair = try ModelPair([.number("image", .binary)], to: [.number("image", .transformable)])
    #expect(try pair.entitiesWithNewHash() == ["Order"])
    #expect(try pair.attribute("image")?.steps == [.convert(from: .binary, to: .transformable)])
    #expect(try pair.requirements() == [])
    #expect(try pair.losses() == [])
  }

  @Test("row 18: a transient attribute is added, removed or retyped: no new version")
  func row18() throws {
    let transient = AttributeDescription(name: "cache", type: .string, isTransient: true)
    var retyped = transient
    retyped.type = .date
    for (former, latter) in [([], [transient]), ([transient], []), ([transient], [retyped])] {
      let pair = try ModelPair(former, to: latter)
      #expect(try pair.entitiesWithNewHash() == [])
      #expect(pair.difference.isSameVersion)
      #expect(Set(pair.inferability(of: "Order.cache")) == ["no migration"])
      #expect(try pair.attribute("cache") == nil)
      #expect(try pair.losses() == [])
    }
  }

  @Test("row 19: transient to stored is an addition, stored to transient a removal")
  func row19() throws {
    let transient = AttributeDescription.text("note") { $0.isTransient = true }
    let stored = try ModelPair([transient], to: [.text("note") { $0.defaultValue = .string("-") }])
    #expect(try stored.entitiesWithNewHash() == ["Order"])
    #expect(stored.difference.entitiesWithNewHash == ["Order"])
    #expect(try stored.attribute("note") == AttributeMapping(origin: .constant(.string("-"))))
    let removed = try ModelPair([.text("note")], to: [transient])
    #expect(removed.difference.entitiesWithNewHash == ["Order"])
    #expect(try removed.losses() == ["Order.note: attributeRemoved"])
  }
}
