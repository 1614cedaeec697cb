import Foundation
import GRDB
import ModelDescription
import PersistentStores
import TestSupport

/// A store with every sort of relationship, filled with sound rows, for tests that break it.
struct LedgerStore: AlterableStore {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Party", isAbstract: true, attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(name: "orders", destinationEntityName: "Order", inverseName: "buyer", isOptional: true)
      ]),
    EntityDescription(
      name: "Customer", superentityName: "Party",
      relationships: [RelationshipDescription(name: "notes", destinationEntityName: "Note", isOptional: true)]),
    EntityDescription(name: "Company", superentityName: "Party"),
    EntityDescription(
      name: "Order",
      attributes: [
        AttributeDescription(name: "number", type: .integer32),
        AttributeDescription(name: "scan", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
      ],
      relationships: [
        RelationshipDescription(name: "buyer", destinationEntityName: "Party", inverseName: "orders", maxCount: 1),
        RelationshipDescription(
          name: "invoice", destinationEntityName: "Invoice", inverseName: "order", isOptional: true, maxCount: 1),
        RelationshipDescription(name: "tags", destinationEntityName: "Tag", inverseName: "orders", isOptional: true),
      ]),
    EntityDescription(
      name: "Invoice",
      relationships: [
        RelationshipDescription(
          name: "order", destinationEntityName: "Order", inverseName: "invoice", isOptional: true, maxCount: 1)
      ]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "orders", destinationEntityName: "Order", inverseName: "tags", isOptional: true, isOrdered: true)
      ], uniquenessConstraints: [["name"]]),
    EntityDescription(name: "Note", attributes: [AttributeDescription(name: "text", type: .string, isOptional: true)]),
  ])

  let folder: TemporaryFolder
  let path: String
  let hierarchy: EntityHierarchy

  /// Makes a store with a hundred rows an entity.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("Ledger.sqlite")
    hierarchy = try EntityHierarchy(Self.model)
    try StoreCreator(of: hierarchy).create(
      at: path, uuid: UUID(), filling: SyntheticRows(seed: 7, rowsPerEntity: 100))
  }
}
