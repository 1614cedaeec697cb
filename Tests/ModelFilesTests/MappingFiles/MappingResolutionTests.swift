import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import Testing
import VersionHashing

@Suite("Parts that a mapping file leaves out are inferred")
struct MappingResolutionTests {
  static let file = """
    <mappingModel source="v2" destination="v3">
      <drop name="Note"/>
      <entityMapping source="Customer" destination="Person" where="age &gt; 3">
        <attribute name="fullName" value="$source.firstName + ' ' + $source.lastName"/>
        <attribute name="since" value="CAST($source.since, 'NSDate')"/>
        <relationship name="address" mapping="CustomerToAddress" keyPath="$source"/>
      </entityMapping>
      <entityMapping source="Customer" destination="Address"/>
    </mappingModel>
    """

  static func read(_ text: String) throws -> MappingFile {
    try MappingFile(Data(text.utf8), path: "v2-v3.xml")
  }

  static func resolved(_ text: String) throws -> MappingModel {
    try read(text).resolved(from: ShopModels.source(), to: ShopModels.destination())
  }

  private func texts(_ properties: PropertyMappings) -> [String] {
    properties.map { property in
      switch property.value {
      case .unset: "\(property.name): unset"
      case .expression(let expression): "\(property.name): \(expression)"
      case .sql(let sql): "\(property.name): sql \(sql)"
      case .attribute, .relationship: "\(property.name): inferred"
      }
    }
  }

  @Test("A split: written values, then everything that follows from names and types")
  func split() throws {
    let model = try Self.resolved(Self.file)
    #expect(
      model.entityMappings.map(\.name) == ["CustomerToPerson", "CustomerToAddress", "OrderToOrder", "Note"])
    #expect(model.entityMappings.map(\.kind) == [.copy, .copy, .copy, .remove])
    #expect(model.droppedData == ["Note"])
    let person = try #require(model.entityMapping(named: "CustomerToPerson"))
    #expect(person.filter?.description == "age > 3")
    #expect(
      texts(person.attributeMappings) == [
        "age: TERNARY($source.age == nil, 18, $source.age)",
        "fullName: $source.firstName + \" \" + $source.lastName",
        "since: CAST($source.since, \"NSDate\")",
      ])
    #expect(
      texts(person.relationshipMappings) == [
        """
        address: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
        "CustomerToAddress", $source)
        """,
        """
        orders: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
        "OrderToOrder", $source.orders)
        """,
      ])
    let order = try #require(model.entityMapping(named: "OrderToOrder"))
    #expect(
      texts(order.attributeMappings) == [
        "number: $source.number", "total: inferred",
      ])
    #expect(
      order.attribute("total")
        == AttributeMapping(
          origin: .source("total"), steps: [.convert(from: .double, to: .decimal), .replaceNil(.decimal(0))]))
    #expect(
      texts(order.relationshipMappings) == [
        """
        buyer: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
        "CustomerToPerson", $source.customer)
        """
      ])
    let address = try #require(model.entityMapping(named: "CustomerToAddress"))
    #expect(texts(address.attributeMappings) == ["street: $source.street"])
    #expect(texts(address.relationshipMappings) == ["person: unset"])
  }

  @Test("Entities that are not mentioned can be left alone")
  func droppedEntities() throws {
    let text = Self.file.replacingOccurrences(
      of: "destination=\"v3\"", with: "destination=\"v3\" unmentioned=\"dropped\"")
    #expect(try Self.resolved(text).entityMappings.map(\.name) == ["CustomerToPerson", "CustomerToAddress"])
  }

  @Test("An empty file gives the inferred mapping of every entity")
  func emptyFile() throws {
    let model = try Self.resolved("<mappingModel source=\"v2\" destination=\"v3\"/>")
    #expect(model.entityMappings.map(\.name) == ["Address", "OrderToOrder", "Person", "Customer", "Note"])
    #expect(model.entityMappings.map(\.kind) == [.add, .copy, .add, .remove, .remove])
    #expect(texts(model.entityMappings[1].relationshipMappings) == ["buyer: unset"])
  }

  @Test("Policies, SQL, defaults, hashes, kinds and user info")
  func everyForm() throws {
    let hash = Data(repeating: 7, count: 32).base64EncodedString()
    let model = try Self.resolved(
      """
      <mappingModel source="v2" destination="v3" unmentioned="dropped">
        <policy class="App.Policy">
          <function selector="reverse:" sql="upper($1)"/>
          <attribute name="age" sql="$source.age + 1"/>
        </policy>
        <policy class="App.Other"/>
        <entityMapping name="M" source="Customer" destination="Person" policy="App.Policy" type="transform"
                       sourceHash="\(hash)">
          <attribute name="age" default="yes"/>
          <attribute name="fullName" sql="$source.lastName || ', ' || $source.firstName">
            <userInfo key="why" value="as the old app printed it"/>
          </attribute>
          <attribute name="since" omitted="yes"/>
          <relationship name="orders" empty="yes"/>
          <relationship name="address" value="FUNCTION($entityPolicy, 'address:', $source)"/>
          <userInfo key="a" value=""/>
        </entityMapping>
      </mappingModel>
      """)
    #expect(
      model.policyReplacements == [
        "App.Policy": PolicyReplacement(functions: ["reverse:": "upper($1)"], attributes: ["age": "$source.age + 1"]),
        "App.Other": PolicyReplacement(),
      ])
    let mapping = try #require(model.entityMappings.first)
    #expect(mapping.name == "M" && mapping.kind == .transform && mapping.policyClassName == "App.Policy")
    #expect(mapping.sourceVersionHash?.base64 == hash && mapping.destinationVersionHash == nil)
    #expect(mapping.userInfo == ["a": ""])
    #expect(
      texts(mapping.attributeMappings) == [
        "age: unset", "fullName: sql $source.lastName || ', ' || $source.firstName",
      ])
    #expect(mapping.attributeMappings.last?.userInfo == ["why": "as the old app printed it"])
    #expect(
      texts(mapping.relationshipMappings) == [
        "address: FUNCTION($entityPolicy, \"address:\", $source)", "orders: unset",
      ])
  }

  @Test("A custom merge does not stop the entity from continuing its source")
  func merge() throws {
    let model = try Self.resolved(
      """
      <mappingModel source="v2" destination="v3">
        <entityMapping source="Note" destination="Order">
          <attribute name="number" value="0"/>
        </entityMapping>
      </mappingModel>
      """)
    #expect(
      model.entityMappings.map(\.name) == ["NoteToOrder", "Address", "OrderToOrder", "Person", "Customer"])
  }

  @Test("Entities that the file removes or starts empty are not inferred")
  func explicitRemoval() throws {
    let model = try Self.resolved(
      """
      <mappingModel source="v2" destination="v3">
        <entityMapping source="Order"/>
        <entityMapping destination="Person"/>
      </mappingModel>
      """)
    #expect(
      model.entityMappings.map { "\($0.source ?? "-")>\($0.destination ?? "-")" } == [
        "Order>-", "->Person", "->Address", "->Order", "Customer>-", "Note>-",
      ])
  }

  @Test("A refusal for an entity without a mapping names the entity")
  func notInferable() throws {
    let file = try Self.read("<mappingModel source=\"v2\" destination=\"v3\"/>")
    let error = #expect(throws: MappingFileError.self) {
      try file.resolved(
        from: ShopModels.source(), to: ShopModels.destination(personContinuesCustomer: true))
    }
    #expect(
      error?.description == """
        v2-v3.xml:1:1: Person.since changes from String to Date, and this is not inferred; \
        write value="…", sql="…" or default="yes" in an entityMapping of its own
        """)
  }
}
