import Foundation
import ModelDescription
import Testing

@Suite("Attributes in code")
struct AttributeBuildingTests {
  /// The content of an entity with one attribute.
  static func built(@EntityBuilder _ contents: () -> EntityContents) -> [AttributeDescription] {
    Entity("E", contents).entityDescription.attributes
  }

  @Test("Every type, with the scalar flag that Xcode gives it")
  func types() {
    let attributes = Self.built {
      Attribute("a", .undefined)
      Attribute("b", .integer16)
      Attribute("c", .integer32)
      Attribute("d", .integer64)
      Attribute("e", .decimal)
      Attribute("f", .double)
      Attribute("g", .float)
      Attribute("h", .string)
      Attribute("i", .boolean)
      Attribute("j", .date)
      Attribute("k", .binary)
      Attribute("l", .uuid)
      Attribute("m", .uri)
      Attribute("n", .transformable)
      Attribute("o", .objectID)
      Attribute("p", .composite("Address"))
      Attribute("q", .unrecognized("Vector"))
    }
    #expect(attributes.map(\.type) == AttributeType.known + [.unrecognized("Vector")])
    #expect(
      attributes.map(\.usesScalarValueType) == [
        nil, true, true, true, nil, true, true, nil, true, false, nil, false, nil, nil, nil, nil, nil,
      ])
    #expect(attributes.allSatisfy { !$0.isOptional && !$0.isSyncable && $0.defaultValue == nil })
  }

  @Test("Defaults have the Swift type that fits")
  func defaults() throws {
    let uuid = try #require(UUID(uuidString: "1B9D6BCD-BBFD-4B2D-9B5D-AB8DFBBD4BED"))
    let attributes = Self.built {
      Attribute("a", .integer16, default: -1)
      Attribute("b", .integer64, default: 9_000_000_000)
      Attribute("c", .decimal, default: 3)
      Attribute("d", .decimal, default: 3.133)
      Attribute("e", .decimal, default: DecimalConstant("12345678901234567.89"))
      Attribute("f", .double, default: 1)
      Attribute("g", .float, default: 0.1)
      Attribute("h", .string, default: "EUR")
      Attribute("i", .boolean, default: true)
      Attribute("j", .date, default: Date(timeIntervalSinceReferenceDate: 60))
      Attribute("k", .binary, default: Data([1, 2]))
      Attribute("l", .uuid, default: uuid)
      Attribute("m", .uri, default: "https://example.org")
      Attribute("n", .string, default: nil)
    }
    #expect(
      attributes.map(\.defaultValue) == [
        .integer(-1), .integer(9_000_000_000), .decimal(3), Decimal(string: "3.133").map(AttributeValue.decimal),
        Decimal(string: "12345678901234567.89").map(AttributeValue.decimal), .double(1), .double(0.1), .string("EUR"),
        .boolean(true), .date(60), .binary(Data([1, 2])), .uuid(uuid), .uri("https://example.org"), nil,
      ])
  }

  @Test("A decimal text that is not a number is nil")
  func decimals() {
    #expect(DecimalConstant("1,5") == nil)
    #expect(DecimalConstant("12 apples") == nil)
    #expect(DecimalConstant(0.1) == DecimalConstant("0.1"))
  }

  @Test("Other settings, one by one", arguments: words)
  func word(attribute: AttributeDescription, expected: AttributeDescription) {
    #expect(attribute == expected)
  }

  static let words: [(AttributeDescription, AttributeDescription)] = zip(
    built {
      Attribute("a", .string).optional()
      Attribute("a", .string).optional(false)
      Attribute("a", .string).transient()
      Attribute("a", .string).minimumLength(1).maximumLength(40).regularExpression("[a-z]+")
      Attribute("a", .integer16).minimum(0).maximum(100)
      Attribute("a", .decimal).minimum(0.5)
      Attribute("a", .date).maximum(Date(timeIntervalSinceReferenceDate: 1))
      Attribute("a", .string).derived(from: "canonical:(name)")
      Attribute("a", .integer64).derived(from: "rows.@count", where: "isPaid == YES")
      Attribute("a", .transformable(class: "NSColor", transformer: "ColorTransformer"))
      Attribute("a", .binary).allowsExternalBinaryDataStorage().preservesValueInHistoryOnDeletion()
      Attribute("a", .string).allowsCloudEncryption().indexed().indexedBySpotlight()
      Attribute("a", .string).renamingIdentifier("b").versionHashModifier("2").userInfo(["k": "v"])
      Attribute("a", .boolean).usesScalarValueType(nil).syncable()
    },
    [
      AttributeDescription(name: "a", type: .string, isOptional: true),
      AttributeDescription(name: "a", type: .string),
      AttributeDescription(name: "a", type: .string, isTransient: true),
      AttributeDescription(
        name: "a", type: .string,
        validation: AttributeValidation(minimum: .integer(1), maximum: .integer(40), regularExpression: "[a-z]+")),
      AttributeDescription(
        name: "a", type: .integer16, validation: AttributeValidation(minimum: .integer(0), maximum: .integer(100)),
        usesScalarValueType: true),
      AttributeDescription(
        name: "a", type: .decimal, validation: AttributeValidation(minimum: .decimal(Decimal(5) / Decimal(10)))),
      AttributeDescription(
        name: "a", type: .date, validation: AttributeValidation(maximum: .date(1)), usesScalarValueType: false),
      AttributeDescription(name: "a", type: .string, derivation: Derivation(expression: "canonical:(name)")),
      AttributeDescription(
        name: "a", type: .integer64, usesScalarValueType: true,
        derivation: Derivation(expression: "rows.@count", filterPredicate: "isPaid == YES")),
      AttributeDescription(
        name: "a", type: .transformable, valueTransformerName: "ColorTransformer", valueClassName: "NSColor"),
      AttributeDescription(
        name: "a", type: .binary, allowsExternalBinaryDataStorage: true, preservesValueInHistoryOnDeletion: true),
      AttributeDescription(
        name: "a", type: .string, allowsCloudEncryption: true, isIndexed: true, isIndexedBySpotlight: true),
      AttributeDescription(
        name: "a", type: .string, renamingIdentifier: "b", versionHashModifier: "2", userInfo: ["k": "v"]),
      AttributeDescription(name: "a", type: .boolean, isSyncable: true),
    ]
  ).map { ($0, $1) }

  @Test("A composite type is declared once and has its elements wherever it is used")
  func composites() throws {
    let address = Composite("Address") {
      Attribute("street", .string)
      Attribute("place", .composite("Place"))
    }
    let model = ManagedObjectModel {
      Entity("Customer") { Attribute("home", .composite(address)).optional() }
      address
      Composite("Place") { Attribute("city", .string) }
    }
    let home = try #require(model.entities.first?.attributes.first)
    #expect(home.leaves.map(\.path) == [["home", "street"], ["home", "place", "city"]])
    #expect(model.composites.map(\.name) == ["Address", "Place"])
  }
}
