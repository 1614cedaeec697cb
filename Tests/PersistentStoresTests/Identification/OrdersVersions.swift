import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// A small model in two versions, to hold stores against.
enum OrdersVersions {
  static let first = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Party", isAbstract: true,
      attributes: [AttributeDescription(name: "name", type: .string)]),
    EntityDescription(
      name: "Customer", superentityName: "Party",
      attributes: [AttributeDescription(name: "discount", type: .integer16, isOptional: true)],
      relationships: [
        RelationshipDescription(
          name: "orders", destinationEntityName: "Order", inverseName: "customer", isOptional: true)
      ]),
    EntityDescription(
      name: "Order",
      attributes: [
        AttributeDescription(name: "number", type: .integer32),
        AttributeDescription(name: "memo", type: .string, isOptional: true),
      ],
      relationships: [
        RelationshipDescription(
          name: "customer", destinationEntityName: "Customer", inverseName: "orders", maxCount: 1)
      ]),
  ])

  static let second: ManagedObjectModel = {
    var model = first
    model.entities[2].attributes[1].name = "note"
    model.entities[2].attributes.append(AttributeDescription(name: "total", type: .decimal))
    model.entities[2].attributes.append(
      AttributeDescription(name: "photo", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true))
    model.entities[2].uniquenessConstraints = [["number"]]
    model.entities[1].attributes[0].versionHashModifier = "scaled"
    return model
  }()

  static func known() throws -> [LoadedVersion] {
    [
      try LoadedVersion(bundle: "Orders.xcdatamodeld", name: "v1", isCurrent: false, model: first),
      try LoadedVersion(bundle: "Orders.xcdatamodeld", name: "v2", isCurrent: true, model: second),
    ]
  }

  static func metadata(of model: ManagedObjectModel) throws -> StoreMetadata {
    StoreMetadata(
      uuid: "0E5F4A64-6C1D-4B3E-8B64-6F0E9A3F2C11", versionHashes: try VersionHashes(of: model), identifiers: [])
  }
}
