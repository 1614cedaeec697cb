import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("The sample models")
struct SampleModelsTests {
  /// A bundle with its versions, oldest first, and the checksum that each must keep.
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let checksums: [String: String]
    var testDescription: String { name }
  }

  static let samples = [
    Sample(
      name: "Company",
      checksums: [
        "v1": "cQoQv9zmzJp/ZdbIof6FFUpXfsyhgnLlbNsjhJ/frf0=",
        "v2": "D8dk3gGvC9G/TyJ2m9TmVlrpjYtB2uDRGRavGiE9qKY=",
      ]
    ),
    Sample(
      name: "Family",
      checksums: [
        "v1": "pq+eh3TqtnOc9rlD0bwCSZSqyxgyrDQbTt1IUr0VNv0=",
        "v2": "NCrfdtyWhDXBlGYFp2m1s5POhUpTxQJDk6orIS0yhvI=",
      ]
    ),
    Sample(
      name: "Orders",
      checksums: [
        "v1": "GrRYdC7tBDaop1Modjf4P3nYcUKyZEUNmlXpF9YrgJs=",
        "v2": "RdRTIjgnONuBJoSA20clAvB8Qht7u/NF3C6TsosVTe8=",
        "v3": "un3vykJN3m2N58Y81ywYI1eEVkD/qUuXeyQF21Q9Uns=",
        "v4": "zyDi0dM84Q7DjGsL3AR9doBuK5i6loZ+L8gGglyfpaE=",
        "v5": "n/yXloA7DSIXHB4Sqprm6ty71LzXyAKxhUoUe+hFPs4=",
        "v6": "BR3xkV8v+8f7BmXAaUc2ubnGdq6x0BipLtyHc39QtSM=",
      ]
    ),
    Sample(
      name: "Staff",
      checksums: [
        "v1": "b6KxEG8pHOtZiglQ0zEdkfA2dtZW4FUEt5n6OP36tq4=",
        "v2": "myXmu9ixUsKsFCIEk7x79P+ZV6ineI/UXnm320YH+ZA=",
      ]
    ),
    Sample(
      name: "Todo",
      checksums: [
        "v1": "gwuYE+UeWIuBSiNUpLvmYvTyxxFquLwATbRe4riVDV4=",
        "v2": "XFa46XoaI8u++lLi+GPL2N/RyzM+bNPabk5Ni3s2eS4=",
      ]
    ),
  ]

  @Test("a released version keeps its hashes", arguments: samples)
  func checksums(of sample: Sample) throws {
    let bundle = try ModelBundle(at: SampleModels.path(sample.name))
    var checksums: [String: String] = [:]
    for version in bundle.versions {
      let file = try version.load()
      #expect(file.notes.isEmpty)
      #expect(file.redeclarations.isEmpty)
      checksums[version.name] = try VersionHashes(of: file.model).checksum
    }
    #expect(checksums == sample.checksums)
  }

  @Test("the newest version is current", arguments: samples)
  func current(of sample: Sample) throws {
    let bundle = try ModelBundle(at: SampleModels.path(sample.name))
    #expect(bundle.currentVersionName == bundle.versions.last?.name)
    #expect(bundle.versions.map(\.name) == sample.checksums.keys.sorted())
  }

  /// The versions that inference reaches; those of Orders after v4 have mapping files.
  private func inferableVersions(of bundle: String) throws -> [EntityHierarchy] {
    try ModelBundle(at: SampleModels.path(bundle)).versions
      .filter { bundle != "Orders" || $0.name <= "v4" }.map { try EntityHierarchy($0.load().model) }
  }

  @Test("every version is reached from every older one, with nothing to consent to or to fill", arguments: samples)
  func inference(of sample: Sample) throws {
    let hierarchies = try inferableVersions(of: sample.name)
    for (position, source) in hierarchies.enumerated() {
      for destination in hierarchies.dropFirst(position + 1) {
        let mapping = try MappingModel.inferred(from: source, to: destination)
        #expect(mapping.losses(source: source, destination: destination) == [])
        #expect(mapping.requirements(source: source, destination: destination) == [])
      }
    }
  }

  /// The mapping of an entity from the oldest to the newest version of a bundle that inference reaches.
  private func entityMapping(of entity: String, in bundle: String) throws -> EntityMapping {
    let hierarchies = try inferableVersions(of: bundle)
    let mapping = try MappingModel.inferred(from: #require(hierarchies.first), to: #require(hierarchies.last))
    return try #require(mapping.mapping(toDestination: entity))
  }

  @Test("Orders: a customer's name becomes the full name, and the phone number is added empty")
  func renamedAttribute() throws {
    let customer = try entityMapping(of: "Customer", in: "Orders")
    #expect(customer.attribute("fullName") == AttributeMapping(origin: .source("name")))
    #expect(customer.attribute("phone") == AttributeMapping(origin: .constant(nil)))
  }

  @Test("Orders: a number is widened, and every order gets the default currency")
  func widenedAttribute() throws {
    let order = try entityMapping(of: "Order", in: "Orders")
    let widening = AttributeMapping.Step.convert(from: .integer32, to: .integer64)
    #expect(order.attribute("number") == AttributeMapping(origin: .source("number"), steps: [widening]))
    #expect(order.attribute("currency") == AttributeMapping(origin: .constant(.string("EUR"))))
  }

  @Test("Orders: a missing quantity becomes the default once the quantity is required")
  func requiredAttribute() throws {
    let row = try entityMapping(of: "RowOfOrder", in: "Orders")
    let fill = AttributeMapping.Step.replaceNil(.double(1))
    #expect(row.attribute("quantity") == AttributeMapping(origin: .source("quantity"), steps: [fill]))
  }

  @Test("Orders: payments start empty, and push the rows of orders to a higher entity number")
  func addedEntity() throws {
    #expect(try entityMapping(of: "Payment", in: "Orders") == EntityMapping(source: nil, destination: "Payment"))
    let numbered = try inferableVersions(of: "Orders").map { $0.numberedEntities.map(\.name) }
    #expect(numbered.first == ["Customer", "Order", "RowOfOrder", "Service"])
    #expect(numbered.last == ["Customer", "Order", "Payment", "RowOfOrder", "Service"])
  }

  @Test("Company: a worker's one company becomes the first of many")
  func toOneBecomesToMany() throws {
    let worker = try entityMapping(of: "Worker", in: "Company")
    #expect(worker.relationship("companies") == RelationshipMapping(source: "company"))
  }

  @Test("Staff: name and birthday move to the new parent with their values")
  func attributesMoveUp() throws {
    let employee = try entityMapping(of: "Employee", in: "Staff")
    #expect(employee.attribute("name") == AttributeMapping(origin: .source("name")))
    #expect(employee.attribute("birthday") == AttributeMapping(origin: .source("birthday")))
  }

  @Test("Todo: every task gets the default priority and no due date")
  func addedAttributes() throws {
    let todo = try entityMapping(of: "Todo", in: "Todo")
    #expect(todo.attribute("priority") == AttributeMapping(origin: .constant(.integer(0))))
    #expect(todo.attribute("dueDate") == AttributeMapping(origin: .constant(nil)))
  }

  @Test("Family: children keep their parent when they get an order")
  func orderedRelationship() throws {
    let user = try entityMapping(of: "User", in: "Family")
    #expect(user.relationship("children") == RelationshipMapping(source: "children"))
    #expect(user.relationship("parent") == RelationshipMapping(source: "parent"))
  }
}
