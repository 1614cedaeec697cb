import Foundation
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport

/// A small model with every kind of relationship, and stores of it with random objects.
enum ShopModel {
  static let model: ManagedObjectModel = {
    var customer = EntityDescription(name: "Customer")
    customer.attributes = [
      AttributeDescription(name: "email", type: .string, isOptional: true),
      AttributeDescription(name: "age", type: .integer64, isOptional: true),
      AttributeDescription(name: "photo", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
    ]
    customer.uniquenessConstraints = [["email"]]
    var member = EntityDescription(name: "Member")
    member.superentityName = "Customer"
    member.attributes = [AttributeDescription(name: "number", type: .integer64, isOptional: true)]
    var order = EntityDescription(name: "Order")
    order.attributes = [AttributeDescription(name: "note", type: .string, isOptional: true)]
    var tag = EntityDescription(name: "Tag")
    tag.attributes = [AttributeDescription(name: "name", type: .string, isOptional: true)]
    func link(
      _ name: String, _ destination: String, _ inverse: String?, isToMany: Bool = false, isOrdered: Bool = false,
      isOptional: Bool = true
    ) -> RelationshipDescription {
      var made = RelationshipDescription(
        name: name, destinationEntityName: destination, isOptional: isOptional, minCount: 0, maxCount: isToMany ? 0 : 1,
        isOrdered: isOrdered, deleteRule: .nullify)
      (made.inverseName, made.inverseEntityName) = (inverse, inverse.map { _ in destination })
      return made
    }
    customer.relationships = [link("orders", "Order", "customer", isToMany: true, isOrdered: true)]
    order.relationships = [
      link("customer", "Customer", "orders", isOptional: false),
      link("tags", "Tag", "orders", isToMany: true), link("next", "Order", "former"), link("former", "Order", "next"),
    ]
    tag.relationships = [
      link("orders", "Order", "tags", isToMany: true, isOrdered: true),
      link("friends", "Tag", "friends", isToMany: true),
      link("watchers", "Customer", nil, isToMany: true),
    ]
    return ManagedObjectModel(entities: [customer, member, order, tag])
  }()

  /// Makes a store with some objects.
  static func make(_ path: String, customers: Int, orders: Int, tags: Int, seed: UInt64) throws -> ObjectStore {
    var random = SeededGenerator(seed: seed)
    let store = try ObjectStore.open(path, model: model)
    try store.write { transaction in
      let people = try (0..<customers).map { number in
        let photo = Data(count: number == 0 ? 200_000 : Int.random(in: 0...20, using: &random))
        return try transaction.insert(
          number % 3 == 2 ? "Member" : "Customer",
          [
            "email": .attribute(.string("c\(number)@example.com")), "age": .attribute(.integer(Int64(number))),
            "photo": .attribute(.binary(photo)),
          ])
      }
      let labels = try (0..<tags).map { try transaction.insert("Tag", ["name": .attribute(.string("t\($0)"))]) }
      for number in 0..<orders {
        guard let customer = people.randomElement(using: &random) else { continue }
        try transaction.insert(
          "Order",
          [
            "note": .attribute(.string("n\(number)")), "customer": .object(customer),
            "tags": .objects(labels.filter { _ in Bool.random(using: &random) }),
          ])
      }
      for (one, other) in zip(labels, labels.dropFirst()) { try transaction.add(other, to: "friends", of: one) }
      for (label, person) in zip(labels, people) { try transaction.add(person, to: "watchers", of: label) }
    }
    return store
  }

  /// The differences between two stores.
  static func reader(_ path: String) throws -> StoreReader { try StoreReader(path: path) }

  /// Copies a closed store with its external data.
  static func copy(_ name: String, to other: String, in folder: TemporaryFolder) throws {
    try FileManager.default.copyItem(atPath: folder.path("\(name).sqlite"), toPath: folder.path("\(other).sqlite"))
    let support = folder.path(".\(name)_SUPPORT")
    if FileManager.default.fileExists(atPath: support) {
      try FileManager.default.copyItem(atPath: support, toPath: folder.path(".\(other)_SUPPORT"))
    }
  }
}
