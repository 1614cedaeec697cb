import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import Testing

@Suite("The rules by which a mapping file is completed")
struct MappingRuleTests {
  private static func attribute(
    _ name: String, _ type: AttributeType = .string, identifier: String? = nil
  ) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true, renamingIdentifier: identifier)
  }

  private func resolved(
    _ content: String, from source: [EntityDescription], to destination: [EntityDescription]
  ) throws -> [String: [String: PropertyMapping.Value]] {
    let text = "<mappingModel source=\"1\" destination=\"2\">\(content)</mappingModel>"
    let model = try MappingFile(Data(text.utf8), path: "f.xml").resolved(
      from: EntityHierarchy(ManagedObjectModel(entities: source)),
      to: EntityHierarchy(ManagedObjectModel(entities: destination)))
    var values: [String: [String: PropertyMapping.Value]] = [:]
    for mapping in model.entityMappings {
      for property in mapping.propertyMappings {
        values[mapping.name, default: [:]][property.name] = property.value
      }
    }
    return values
  }

  private func value(_ text: String) throws -> PropertyMapping.Value {
    .expression(try ValueExpression(parsing: text))
  }

  private func message(
    _ content: String, from source: [EntityDescription], to destination: [EntityDescription]
  ) -> String {
    do {
      _ = try resolved(content, from: source, to: destination)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test("Elements of a composite attribute are mapped one by one, or the attribute as a whole")
  func composites() throws {
    var place = Self.attribute("place", .composite)
    place.elements = [Self.attribute("lat", .double), Self.attribute("lon", .double)]
    let models = [EntityDescription(name: "Shop", attributes: [place])]
    #expect(
      try resolved("", from: models, to: models)["ShopToShop"] == [
        "place.lat": value("$source.place.lat"), "place.lon": value("$source.place.lon"),
      ])
    let one = "<entityMapping source='Shop' destination='Shop'><attribute name='place.lat' value='1'/></entityMapping>"
    #expect(
      try resolved(one, from: models, to: models)["ShopToShop"] == [
        "place.lat": value("1"), "place.lon": value("$source.place.lon"),
      ])
    let whole =
      "<entityMapping source='Shop' destination='Shop'><attribute name='place' value='$source.place'/></entityMapping>"
    #expect(try resolved(whole, from: models, to: models)["ShopToShop"] == ["place": value("$source.place")])
  }

  @Test("Derived and transient properties are not mapped, but a mapping may name them")
  func derivedAndTransient() throws {
    var derived = Self.attribute("upper")
    derived.derivation = Derivation(expression: "uppercase:(name)")
    var transient = Self.attribute("cache")
    transient.isTransient = true
    let models = [EntityDescription(name: "A", attributes: [Self.attribute("name"), derived, transient])]
    #expect(try resolved("", from: models, to: models)["AToA"] == ["name": value("$source.name")])
    let named = "<entityMapping source='A' destination='A'><attribute name='cache' value='1'/></entityMapping>"
    #expect(
      try resolved(named, from: models, to: models)["AToA"] == ["name": value("$source.name"), "cache": value("1")])
  }

  private static func library(_ kinds: [String]) -> [EntityDescription] {
    [
      EntityDescription(
        name: "Shelf",
        relationships: [RelationshipDescription(name: "items", destinationEntityName: "Item", isOptional: true)]),
      EntityDescription(name: "Item", isAbstract: true, attributes: [attribute("title")]),
    ] + kinds.map { EntityDescription(name: $0, superentityName: "Item") }
  }

  @Test("A relationship to sub-entities uses all their own mappings")
  func subentities() throws {
    let models = Self.library(["Book", "Disc"])
    let values = try resolved("", from: models, to: models)
    #expect(
      try values["ShelfToShelf"] == [
        "items": value(
          """
          FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "items", $source.items)
          """)
      ])
    #expect(try values["BookToBook"] == ["title": value("$source.title")])
    #expect(values["ItemToItem"] == nil)
  }

  @Test("Two mappings of one pair are both used, and a key path must choose")
  func severalMappings() throws {
    let models = [
      EntityDescription(
        name: "Note",
        relationships: [RelationshipDescription(name: "next", destinationEntityName: "Note", isOptional: true)])
    ]
    let two = """
      <entityMapping name="old" source="Note" destination="Note" where="a = 1"/>
      <entityMapping name="new" source="Note" destination="Note" where="a = 2">
        <relationship name="next" NEXT/>
      </entityMapping>
      """
    let inferred = try resolved(two.replacingOccurrences(of: "NEXT", with: ""), from: models, to: models)
    let both =
      "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'next', $source.next)"
    #expect(try inferred["old"]?["next"] == value(both))
    #expect(try inferred["new"]?["next"] == value(both))
    let keyPath = two.replacingOccurrences(of: "NEXT", with: "keyPath=\"$source.next.next\"")
    #expect(
      message(keyPath, from: models, to: models)
        == "f.xml:3:3: old and new create objects from Note; choose one with mapping=\"…\"")
    let chosen = two.replacingOccurrences(of: "NEXT", with: "mapping=\"old\" keyPath=\"$source.next.next\"")
    #expect(
      try resolved(chosen, from: models, to: models)["new"]?["next"]
        == value(
          "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'old', $source.next.next)"))
  }

  @Test("Renaming identifiers are followed, and refused where they settle nothing and nothing is written")
  func renamingIdentifiers() throws {
    let source = [EntityDescription(name: "A", attributes: [Self.attribute("x"), Self.attribute("y")])]
    let renamed = [EntityDescription(name: "A", attributes: [Self.attribute("z", identifier: "x")])]
    #expect(try resolved("", from: source, to: renamed)["AToA"] == ["z": value("$source.x")])
    let claimed = [
      EntityDescription(
        name: "A", attributes: [Self.attribute("p", identifier: "x"), Self.attribute("q", identifier: "x")])
    ]
    #expect(
      message("<entityMapping source='A' destination='A'/>", from: source, to: claimed)
        == "f.xml:1:42: renaming identifiers do not pair A.p and x uniquely; choose one with value=\"$source.…\""
    )
    let written = """
      <entityMapping source='A' destination='A'>
        <attribute name='p' value='$source.x'/>
        <attribute name='q' default='yes'/>
      </entityMapping>
      """
    #expect(try resolved(written, from: source, to: claimed)["AToA"] == ["p": value("$source.x"), "q": .unset])
  }

  @Test("Entities that claim one another must be written")
  func ambiguousEntities() {
    let source = [EntityDescription(name: "A"), EntityDescription(name: "B")]
    let destination = [
      EntityDescription(name: "C", renamingIdentifier: "A"), EntityDescription(name: "D", renamingIdentifier: "A"),
    ]
    #expect(
      message("", from: source, to: destination)
        == "f.xml:1:1: renaming identifiers do not pair C and A uniquely; write an entity mapping for C")
    let written = "<entityMapping source='A' destination='C'/><entityMapping source='B' destination='D'/>"
    #expect(message(written, from: source, to: destination) == "no error")
  }

  @Test("A mapping without source objects has no source relationship")
  func noSourceRelationship() {
    let source = [EntityDescription(name: "A")]
    let destination = [
      EntityDescription(
        name: "A", relationships: [RelationshipDescription(name: "r", destinationEntityName: "A", isOptional: true)])
    ]
    let text = "<entityMapping source='A' destination='A'><relationship name='r' mapping='AToA'/></entityMapping>"
    #expect(
      message(text, from: source, to: destination).hasPrefix(
        "f.xml:1:84: the source entity A has no relationship that r continues; name the source with keyPath="))
  }
}
