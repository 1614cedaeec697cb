import Foundation
import ModelDescription
import Testing

@testable import VersionHashing

/// Each rule of the hash on the smallest model that shows it, against bytes put together here by hand.
struct OwnVectorTests {
  private func sha256(_ parts: [UInt8]...) -> [UInt8] {
    parts.flatMap { $0 }.withUnsafeBytes { SHA2.digest256(of: $0) }
  }
  private func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
  private func hash(_ entity: String, in entities: EntityDescription...) throws -> [UInt8]? {
    try VersionHashes(of: ManagedObjectModel(entities: entities)).entities[entity]?.bytes
  }

  /// `name`, a required string: flags 0, code 700 = 0x2BC.
  private var nameHash: [UInt8] { sha256(sha256(utf8("name"), [0, 0]), [0xBC, 0x02, 0, 0]) }
  private let name = AttributeDescription(name: "name", type: .string)

  @Test func anEntityIsItsNameItsAbstractFlagAndItsPropertiesByName() throws {
    let age = AttributeDescription(name: "Zage", type: .integer16, isOptional: true)
    let ageHash = sha256(sha256(utf8("Zage"), [1, 0]), [100, 0, 0, 0])
    let entity = EntityDescription(name: "Person", attributes: [name, age])
    #expect(try hash("Person", in: entity) == sha256(utf8("Person"), [0], ageHash, nameHash))
  }

  @Test func anAbstractEntityHasOne() throws {
    let entity = EntityDescription(name: "Person", isAbstract: true)
    #expect(try hash("Person", in: entity) == sha256(utf8("Person"), [1]))
  }

  @Test func aTransientAttributeIsLeftOut() throws {
    let entity = EntityDescription(
      name: "Person", attributes: [name, AttributeDescription(name: "age", type: .integer16, isTransient: true)])
    #expect(try hash("Person", in: entity) == sha256(utf8("Person"), [0], nameHash))
  }

  @Test func aSubentityHasItsParentsHashAndItsProperties() throws {
    let person = EntityDescription(name: "Person", attributes: [name])
    let child = EntityDescription(name: "Child", superentityName: "Person")
    let personHash = sha256(utf8("Person"), [0], nameHash)
    #expect(try hash("Child", in: child, person) == sha256(utf8("Child"), [0], personHash, nameHash))
  }

  @Test func modifiersFollowTheNameAndTheProperties() throws {
    var attribute = name
    attribute.versionHashModifier = "p2"
    let entity = EntityDescription(name: "Person", attributes: [attribute], versionHashModifier: "e2")
    let attributeHash = sha256(sha256(utf8("name"), [0, 0], utf8("p2")), [0xBC, 0x02, 0, 0])
    #expect(try hash("Person", in: entity) == sha256(utf8("Person"), [0], attributeHash, utf8("e2")))
  }

  @Test func constraintsAreJoinedByDotsSortedAndLast() throws {
    let entity = EntityDescription(
      name: "Person", attributes: [name], uniquenessConstraints: [["name", "id"], [], ["id"]],
      versionHashModifier: "e2")
    #expect(try hash("Person", in: entity) == sha256(utf8("Person"), [0], nameHash, utf8("e2"), utf8("idname.id")))
  }

  @Test func anAncestorsConstraintCountsOnlyThroughItsHash() throws {
    let person = EntityDescription(name: "Person", attributes: [name], uniquenessConstraints: [["name"]])
    let child = EntityDescription(name: "Child", superentityName: "Person")
    let personHash = sha256(utf8("Person"), [0], nameHash, utf8("name"))
    #expect(try hash("Child", in: person, child) == sha256(utf8("Child"), [0], personHash, nameHash))
  }

  @Test func externalStorageAndPreservationAddOneByteEach() throws {
    let blob = AttributeDescription(
      name: "b", type: .binary, allowsExternalBinaryDataStorage: true, preservesValueInHistoryOnDeletion: true)
    let blobHash = sha256(sha256(utf8("b"), [0, 0]), [0xE8, 0x03, 0, 0], [1], [1])
    #expect(
      try hash("Person", in: EntityDescription(name: "Person", attributes: [blob]))
        == sha256(utf8("Person"), [0], blobHash))
  }

  @Test(arguments: [
    ("primaryLabel.code", "primaryLabel.code"),
    ("pages.@count", "count:(pages)"),
    ("lines.@sum.price", "sum:(lines.price)"),
    ("canonical:(name)", "canonical:(name)"),
    ("now()", "now()"),
  ])
  func aDerivedAttributeIsOnlyItsExpression(_ written: String, _ hashed: String) throws {
    let derived = AttributeDescription(
      name: "ignored", type: .integer64, isOptional: true, derivation: Derivation(expression: written),
      versionHashModifier: "ignored")
    #expect(
      try hash("Person", in: EntityDescription(name: "Person", attributes: [derived]))
        == sha256(utf8("Person"), [0], sha256(utf8(hashed))))
  }

  @Test func aFilterFollowsTheDerivation() throws {
    let derived = AttributeDescription(
      name: "n", type: .integer64, derivation: Derivation(expression: "a.@count", filterPredicate: "x == 1"))
    #expect(
      try hash("Person", in: EntityDescription(name: "Person", attributes: [derived]))
        == sha256(utf8("Person"), [0], sha256(utf8("count:(a)x == 1"))))
  }

  @Test func aCompositeAttributeIsItsLeavesByName() throws {
    let inner = AttributeDescription(
      name: "inner", type: .composite, elements: [AttributeDescription(name: "a", type: .boolean)])
    let place = AttributeDescription(
      name: "place", type: .composite, elements: [AttributeDescription(name: "z", type: .double), inner])
    let leaves =
      sha256(sha256(utf8("a"), [0, 0]), [0x20, 0x03, 0, 0]) + sha256(sha256(utf8("z"), [0, 0]), [0xF4, 0x01, 0, 0])
    #expect(
      try hash("Person", in: EntityDescription(name: "Person", attributes: [place]))
        == sha256(utf8("Person"), [0], sha256(leaves)))
  }

  @Test func aRelationshipIsItsDestinationItsInverseAndItsCounts() throws {
    let orders = RelationshipDescription(
      name: "orders", destinationEntityName: "Order", inverseName: "customer", isOptional: true, minCount: 1,
      maxCount: 5, isOrdered: true)
    let expected = sha256(
      sha256(utf8("orders"), [1, 0]), utf8("Order"), utf8("customer"), [5, 0, 0, 0], [1, 0, 0, 0], [1, 0])
    #expect(
      try hash("Person", in: EntityDescription(name: "Person", relationships: [orders]))
        == sha256(utf8("Person"), [0], expected))
  }

  @Test func aCountWithoutBoundSetInCodeIsMinusOne() throws {
    let orders = RelationshipDescription(name: "r", destinationEntityName: "O", maxCount: .max)
    let expected = sha256(sha256(utf8("r"), [0, 0]), utf8("O"), [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0])
    #expect(
      try hash("Person", in: EntityDescription(name: "Person", relationships: [orders]))
        == sha256(utf8("Person"), [0], expected))
  }

  @Test func aRelationshipThatIsItsOwnInverseDoesNotNameIt() throws {
    let friends = RelationshipDescription(
      name: "friends", destinationEntityName: "Person", inverseName: "friends")
    let relationshipHash = sha256(
      sha256(utf8("friends"), [0, 0]), utf8("Person"), [0, 0, 0, 0], [0, 0, 0, 0])
    let person = EntityDescription(name: "Person", relationships: [friends])
    let personHash = sha256(utf8("Person"), [0], relationshipHash)
    #expect(try hash("Person", in: person) == personHash)
    let child = EntityDescription(name: "Child", superentityName: "Person")
    #expect(try hash("Child", in: person, child) == sha256(utf8("Child"), [0], personHash, relationshipHash))
  }

  @Test func anInverseOfTheSameNameInAnotherEntityIsNamed() throws {
    let peer = RelationshipDescription(name: "peer", destinationEntityName: "Other", inverseName: "peer", maxCount: 1)
    let expected = sha256(
      sha256(utf8("peer"), [0, 0]), utf8("Other"), utf8("peer"), [1, 0, 0, 0], [0, 0, 0, 0])
    #expect(
      try hash("Person", in: EntityDescription(name: "Person", relationships: [peer]))
        == sha256(utf8("Person"), [0], expected))
  }

  @Test func digestAndChecksumRunOverEntitiesByName() throws {
    let hashes = try VersionHashes(
      of: ManagedObjectModel(entities: [EntityDescription(name: "b"), EntityDescription(name: "A")]))
    let (a, b) = (sha256(utf8("A"), [0]), sha256(utf8("b"), [0]))
    let digest = (utf8("A") + a + utf8("b") + b).withUnsafeBytes { SHA2.digest512(of: $0) }
    #expect(hashes.digest == Data(digest).base64EncodedString())
    #expect(hashes.checksum == Data(sha256(a, b)).base64EncodedString())
  }

  @Test func anUnknownTypeHasNoHash() {
    let entity = EntityDescription(
      name: "Person", attributes: [AttributeDescription(name: "x", type: .unrecognized("Vector"))])
    #expect(throws: ModelStructureError.unrecognizedAttributeType(entity: "Person", attribute: "x", type: "Vector")) {
      try VersionHashes(of: ManagedObjectModel(entities: [entity]))
    }
  }
}
