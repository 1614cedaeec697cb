import ModelDescription
import ModelFiles
import PersistentStores
import Testing
import VersionHashing

@Suite("The differences between a store and the nearest version")
struct NearestVersionTests {
  /// An edit of v2 that the store was written with, and the sentences that explain it.
  struct Case: CustomTestStringConvertible, Sendable {
    let sentences: [String]
    let edit: @Sendable (inout ManagedObjectModel) -> Void

    init(_ sentences: String..., edit: @escaping @Sendable (inout ManagedObjectModel) -> Void) {
      self.sentences = sentences
      self.edit = edit
    }

    var testDescription: String { sentences.joined(separator: "; ") }
  }

  private static let party = 0
  private static let customer = 1
  private static let order = 2

  static let single: [Case] = [
    Case("Order.total was still optional") { $0.entities[order].attributes[2].isOptional = true },
    Case("Order.note was not yet optional") { $0.entities[order].attributes[1].isOptional = false },
    Case("Order.customer was still optional") { $0.entities[order].relationships[0].isOptional = true },
    Case("Order.total was still of type Double, not Decimal") { $0.entities[order].attributes[2].type = .double },
    Case("Order.number was still of type String, not Integer 32") { $0.entities[order].attributes[0].type = .string },
    Case("Order.photo did not yet allow external storage") {
      $0.entities[order].attributes[3].allowsExternalBinaryDataStorage = false
    },
    Case("Order.note was still preserved after deletion") {
      $0.entities[order].attributes[1].preservesValueInHistoryOnDeletion = true
    },
    Case("Order.note had the version hash modifier “scaled”") {
      $0.entities[order].attributes[1].versionHashModifier = "scaled"
    },
    Case("Customer.discount had no version hash modifier yet") {
      $0.entities[customer].attributes[0].versionHashModifier = nil
    },
    Case("Order had the version hash modifier “scaled”") { $0.entities[order].versionHashModifier = "scaled" },
    Case("Order.total was not there") { $0.entities[order].attributes.remove(at: 2) },
    Case("Order had the attribute memo (String, optional)") {
      $0.entities[order].attributes.append(AttributeDescription(name: "memo", type: .string, isOptional: true))
    },
    Case("Order.note was still named memo") { $0.entities[order].attributes[1].name = "memo" },
    Case("Order did not yet have the uniqueness constraint (number)") {
      $0.entities[order].uniquenessConstraints = []
    },
    Case("Order was still abstract") { $0.entities[order].isAbstract = true },
    Case("Order.customer was still to-many") { $0.entities[order].relationships[0].maxCount = 0 },
    Case("Order.customer had a minimum count of 1 and a maximum of 1") {
      $0.entities[order].relationships[0].minCount = 1
    },
    Case("Customer.orders was still to-one") { $0.entities[customer].relationships[0].maxCount = 1 },
    Case("Customer.orders was still ordered") { $0.entities[customer].relationships[0].isOrdered = true },
    Case("Order.customer still pointed at Party, not Customer") {
      $0.entities[order].relationships[0].destinationEntityName = "Party"
    },
    Case("Order.customer had no inverse yet") { $0.entities[order].relationships[0].inverseName = nil },
    Case("Party was not yet abstract", "Customer differs only by its parent Party") {
      $0.entities[party].isAbstract = false
    },
    Case("Party.name was still optional", "Customer differs only by its parent Party") {
      $0.entities[party].attributes[0].isOptional = true
    },
    Case("Order still had the parent Party") { $0.entities[order].superentityName = "Party" },
    Case("Customer had no parent yet") { $0.entities[customer].superentityName = nil },
    Case("Customer differs only by the name of the entity it points at", "Order was still named Purchase") {
      $0.entities[order].name = "Purchase"
      $0.entities[customer].relationships[0].destinationEntityName = "Purchase"
    },
  ]

  static let double: [Case] = [
    Case("Order.total was still optional, and Order.note was still named memo") {
      $0.entities[order].attributes[1].name = "memo"
      $0.entities[order].attributes[2].isOptional = true
    },
    Case("Order.total was still optional, and Order.total was still of type String, not Decimal") {
      $0.entities[order].attributes[2].isOptional = true
      $0.entities[order].attributes[2].type = .string
    },
    Case("Order.number was still optional, and Order.total was still of type Float, not Decimal") {
      $0.entities[order].attributes[0].isOptional = true
      $0.entities[order].attributes[2].type = .float
    },
    Case(
      "Order.total was not there, and Order did not yet have the uniqueness constraint (number)",
      "Party.name was still optional", "Customer.discount was not yet optional"
    ) {
      $0.entities[party].attributes[0].isOptional = true
      $0.entities[customer].attributes[0].isOptional = false
      $0.entities[order].attributes.remove(at: 2)
      $0.entities[order].uniquenessConstraints = []
    },
    Case("Order was still as in v1") { $0.entities[order] = OrdersVersions.first.entities[order] },
    Case("Order differs by more than two edits") {
      for position in 0..<4 { $0.entities[order].attributes[position].isOptional.toggle() }
    },
  ]

  @Test("One edit of an entity is named", arguments: single)
  func singleEdit(_ example: Case) throws {
    let sentences = try Self.sentences(example)
    #expect(sentences == example.sentences)
  }

  @Test("Two edits of an entity are named, more are not guessed at", arguments: double)
  func doubleEdit(_ example: Case) throws {
    let sentences = try Self.sentences(example)
    #expect(sentences == example.sentences)
  }

  @Test("Entities that only one side has")
  func missingEntities() throws {
    let versions = try OrdersVersions.known()
    var model = OrdersVersions.second
    model.entities.removeLast()
    model.entities.append(EntityDescription(name: "Invoice"))
    let nearest = NearestVersion(to: try VersionHashes(of: model), among: [versions[1]])
    #expect(nearest?.differences.map(\.description) == ["Order was not there", "Invoice is only in the store"])
  }

  @Test("Of versions that differ in equally many entities, the nearest has the fewest edits, then the latest wins")
  func fewestEdits() throws {
    func versions(_ types: [AttributeType]) throws -> [LoadedVersion] {
      try types.enumerated().map { position, type in
        let number = AttributeDescription(name: "number", type: type)
        let note = AttributeDescription(name: "note", type: .string, isOptional: true)
        let model = ManagedObjectModel(entities: [EntityDescription(name: "Order", attributes: [number, note])])
        return try LoadedVersion(bundle: "M.xcdatamodeld", name: "v\(position + 1)", isCurrent: false, model: model)
      }
    }
    let store = try versions([.integer16])[0].hierarchy.model.entities[0]
    var model = ManagedObjectModel(entities: [store])
    model.entities[0].attributes[1].isOptional = false
    let hashes = try VersionHashes(of: model)
    let nearest = NearestVersion(to: hashes, among: try versions([.integer16, .integer32]))
    #expect(nearest?.description == "v1, but Order.note was not yet optional")
    let later = NearestVersion(to: hashes, among: try versions([.integer32, .integer64]))
    #expect(later?.version.name == "v2")
  }

  /// Told against v2 alone in hashes; v1 only lends its words.
  private static func sentences(_ example: Case) throws -> [String]? {
    var model = OrdersVersions.second
    example.edit(&model)
    let nearest = NearestVersion(to: try VersionHashes(of: model), among: try OrdersVersions.known())
    #expect(nearest?.version.name == "v2")
    return nearest?.differences.map(\.description)
  }
}
