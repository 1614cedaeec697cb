import Foundation
import GRDB
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport

/// An open store of customers, orders and items, of a model with a rule of every kind.
final class ShopStore {
  static let model = ManagedObjectModel {
    Entity("Customer") {
      Attribute("name", .string).minimumLength(2).maximumLength(6).preservesValueInHistoryOnDeletion()
      Attribute("number", .integer64).optional()
      Attribute("age", .integer16).optional().minimum(18).maximum(99)
      Attribute("code", .string).optional().regularExpression("[a-z]+[0-9]")
      Attribute("rate", .double).optional().maximum(1)
      Attribute("since", .date).optional()
        .minimum(Date(timeIntervalSinceReferenceDate: 0)).maximum(Date(timeIntervalSinceReferenceDate: 1000))
      Attribute("home", .uri).optional()
      Attribute("photo", .binary).optional().allowsExternalBinaryDataStorage()
      Attribute("isVip", .boolean, default: false)
      Attribute("orderCount", .integer64).optional().derived(from: "orders.@count")
      Attribute("shout", .string).optional().derived(from: "uppercase:(name)")
      Relationship("orders", toMany: "Order", inverse: "customer", deleteRule: .deny)
      Relationship("friends", toMany: "Customer", inverse: "friends")
      UniquenessConstraint("number")
    }
    Entity("Order") {
      Attribute("number", .integer64, default: 7)
      Attribute("customerName", .string).optional().derived(from: "customer.name")
      Relationship("customer", toOne: "Customer", inverse: "orders")
      Relationship("items", toMany: "Item", inverse: "order", deleteRule: .cascade).ordered().maxCount(3)
      Relationship("tags", toMany: "Tag", inverse: "orders").minCount(2)
    }
    Entity("Thing", isAbstract: true) { Attribute("title", .string).optional() }
    Entity("Item", parent: "Thing") {
      Relationship("order", toOne: "Order", inverse: "items").optional()
    }
    Entity("Tag", parent: "Thing") {
      Relationship("orders", toMany: "Order", inverse: "tags").ordered()
    }
  }

  let folder: TemporaryFolder
  let store: ObjectStore
  var path: String { folder.path("shop.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    store = try ObjectStore.open(folder.path("shop.sqlite"), model: Self.model)
  }

  /// Opens the same store once more, as another part of a program does.
  func another(_ options: OpeningOptions = OpeningOptions()) throws -> ObjectStore {
    try ObjectStore.open(path, model: Self.model, options: options)
  }

  @discardableResult
  func customer(_ name: String = "Anna", _ more: [String: RecordValue] = [:]) throws -> RecordID {
    try store.write { try $0.insert("Customer", more.merging(["name": .text(name)]) { $1 }) }
  }

  func record(_ id: RecordID) throws -> ObjectRecord? { try store.read { try $0.object(id) } }

  func rows(_ sql: String) throws -> [Row] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try Row.fetchAll($0, sql: sql) }
  }

  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The problems that keep a write from being saved; empty when it was.
  func problems(
    merging policy: MergePolicy = .error, _ body: (StoreTransaction) throws -> Void
  ) throws -> [SaveBlocker] {
    try store.problems(merging: policy, body)
  }
}

extension ObjectStore {
  /// The problems that keep a write from being saved; empty when it was.
  func problems(
    merging policy: MergePolicy = .error, _ body: (StoreTransaction) throws -> Void
  ) throws -> [SaveBlocker] {
    do {
      try write(merging: policy, body)
      return []
    } catch let error as SaveError {
      return error.blockers
    }
  }
}

extension RecordValue {
  static func text(_ text: String) -> RecordValue { .attribute(.string(text)) }
  static func number(_ number: Int64) -> RecordValue { .attribute(.integer(number)) }
}
