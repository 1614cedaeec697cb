import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreContents
import StoreRows
import Testing
import VersionHashing

@Suite("Two edits of one store, merged")
struct StoreMergeTests {
  private static let model = ManagedObjectModel {
    Entity("Customer") {
      Attribute("number", .integer64).optional()
      Attribute("name", .string).optional()
      Relationship("orders", toMany: "Order", inverse: "customer").ordered()
      UniquenessConstraint("number")
    }
    Entity("Order") {
      Attribute("note", .string).optional()
      Relationship("customer", toOne: "Customer", inverse: "orders").optional()
      Relationship("tags", toMany: "Tag", inverse: "orders")
    }
    Entity("Tag") {
      Attribute("word", .string).optional()
      Relationship("orders", toMany: "Order", inverse: "tags")
    }
  }

  private typealias Objects = [String: [String: RecordValue]]

  private func id(_ name: String) throws -> RecordID { try #require(RecordID(name)) }

  private func document(_ objects: Objects, entries: [String: String] = [:]) throws -> StoreDocument {
    let metadata = StoreMetadata(
      uuid: "9ECD24C8-A2FC-49F1-A4F6-D9A513D12374", versionHashes: try VersionHashes(of: Self.model), identifiers: [],
      entries: entries.mapValues { .string($0) })
    return StoreDocument(
      metadata: metadata,
      objects: try objects.map { StoreDocument.Object(id: try id($0.key), values: $0.value) })
  }

  private func merge(_ base: Objects?, _ ours: Objects, _ theirs: Objects) throws -> StoreMerge {
    let model = try EntityHierarchy(Self.model)
    let merge = try StoreMerge(
      base: base.map { try document($0) }, ours: document(ours), theirs: document(theirs), model: model,
      paths: ("base", "ours", "theirs"))
    try merge.merged.check(against: model, path: "merged")
    try merge.alternative.check(against: model, path: "alternative")
    return merge
  }

  private func objects(_ document: StoreDocument) -> Objects {
    Dictionary(document.objects.map { ($0.id.description, $0.values) }) { first, _ in first }
  }

  private func links(_ names: String...) throws -> RecordValue { .objects(try names.map { try id($0) }) }
  private func link(_ name: String) throws -> RecordValue { .object(try id(name)) }

  @Test("Different properties of one object, and different objects, are not a conflict")
  func clean() throws {
    let merge = try merge(
      ["Customer 1": ["name": "Anna", "number": 1], "Customer 2": ["name": "Eva"], "Customer 3": ["name": "Ida"]],
      ["Customer 1": ["name": "Anne", "number": 1], "Customer 3": ["name": "Ida"]],
      ["Customer 1": ["name": "Anna", "number": 7], "Customer 2": ["name": "Eva"], "Customer 3": [:]])
    #expect(merge.conflicts == [])
    #expect(objects(merge.merged) == ["Customer 1": ["name": "Anne", "number": 7], "Customer 3": [:]])
    #expect(merge.alternative == merge.merged)
  }

  @Test("Two new values are a conflict; both documents hold the rest of the merge")
  func values() throws {
    let merge = try merge(
      ["Customer 1": ["name": "Anna"], "Customer 2": [:]], ["Customer 1": ["name": "Anne"], "Customer 2": [:]],
      ["Customer 1": ["name": "Hanna", "number": 1]])
    #expect(
      merge.conflicts == [
        StoreMergeConflict(
          object: try id("Customer 1"), cause: .value("name", base: "Anna", ours: "Anne", theirs: "Hanna"))
      ])
    #expect(objects(merge.merged) == ["Customer 1": ["name": "Anne", "number": 1]])
    #expect(objects(merge.alternative) == ["Customer 1": ["name": "Hanna", "number": 1]])
  }

  @Test("An object that one side deleted and the other changed, or linked to, is a conflict")
  func deletions() throws {
    let base: Objects = ["Customer 1": ["name": "Anna"], "Customer 2": ["name": "Eva"], "Customer 3": [:]]
    let merge = try merge(
      base, ["Customer 2": ["name": "Eve"], "Customer 3": [:]],
      [
        "Customer 1": ["name": "Anna", "orders": try links("Order 1")],
        "Order 1": ["customer": try link("Customer 1")],
      ])
    #expect(
      merge.conflicts == [
        StoreMergeConflict(object: try id("Customer 1"), cause: .deletedByOurs),
        StoreMergeConflict(object: try id("Customer 2"), cause: .deletedByTheirs),
      ])
    #expect(objects(merge.merged) == ["Customer 2": ["name": "Eve"], "Order 1": [:]])
    #expect(
      objects(merge.alternative) == [
        "Customer 1": ["name": "Anna", "orders": try links("Order 1")],
        "Order 1": ["customer": try link("Customer 1")],
      ])
  }

  @Test("An object whose link went with the deleted object is not changed by that")
  func links() throws {
    let order: Objects = ["Order 1": ["customer": try link("Customer 1")]]
    let base = order.merging(["Customer 1": ["orders": try links("Order 1")]]) { $1 }
    let merge = try merge(base, ["Order 1": [:]], ["Customer 1": [:]])
    #expect(merge.conflicts == [])
    #expect(objects(merge.merged) == [:])
  }

  @Test("If both sides added an object with one key, their object gets the next key, and links follow")
  func newKeys() throws {
    let base: Objects = ["Order 1": [:], "Tag 1": ["word": "a"]]
    let merge = try merge(
      base,
      [
        "Order 1": [:], "Tag 1": ["word": "a"], "Order 2": ["note": "ours", "customer": try link("Customer 1")],
        "Customer 1": ["name": "Anna", "orders": try links("Order 2")],
      ],
      [
        "Order 1": ["tags": try links("Tag 1", "Tag 2")], "Tag 1": ["word": "a", "orders": try links("Order 1")],
        "Tag 2": ["orders": try links("Order 1", "Order 2")],
        "Order 2": ["note": "theirs", "customer": try link("Customer 1"), "tags": try links("Tag 2")],
        "Customer 1": ["name": "Eva", "orders": try links("Order 2")],
      ])
    #expect(merge.conflicts == [])
    #expect(
      objects(merge.merged) == [
        "Customer 1": ["name": "Anna", "orders": try links("Order 2")],
        "Customer 2": ["name": "Eva", "orders": try links("Order 3")],
        "Order 1": ["tags": try links("Tag 1", "Tag 2")],
        "Order 2": ["note": "ours", "customer": try link("Customer 1")],
        "Order 3": ["note": "theirs", "customer": try link("Customer 2"), "tags": try links("Tag 2")],
        "Tag 1": ["word": "a", "orders": try links("Order 1")],
        "Tag 2": ["orders": try links("Order 1", "Order 3")],
      ])
    #expect(merge.merged.lastKeys == ["Customer": 2, "Order": 3])
  }

  @Test("Two objects with one unique value that both added are the same, with any keys")
  func sameObject() throws {
    let merge = try merge(
      [:], ["Customer 1": ["name": "Eva", "number": 8], "Customer 2": ["name": "Anna", "number": 7]],
      [
        "Customer 1": ["name": "Anne", "number": 7, "orders": try links("Order 1")],
        "Order 1": ["customer": try link("Customer 1")],
      ])
    #expect(
      merge.conflicts == [
        StoreMergeConflict(
          object: try id("Customer 2"), cause: .value("name", base: nil, ours: "Anna", theirs: "Anne"))
      ])
    #expect(
      objects(merge.merged) == [
        "Customer 1": ["name": "Eva", "number": 8],
        "Customer 2": ["name": "Anna", "number": 7, "orders": try links("Order 1")],
        "Order 1": ["customer": try link("Customer 2")],
      ])
  }

  @Test("In a store that both sides added, objects with one key are the same")
  func withoutAncestor() throws {
    let merge = try merge(nil, ["Order 1": ["note": "a"], "Order 2": [:]], ["Order 1": ["note": "b"], "Order 3": [:]])
    #expect(
      merge.conflicts == [
        StoreMergeConflict(object: try id("Order 1"), cause: .value("note", base: nil, ours: "a", theirs: "b"))
      ])
    #expect(merge.merged.objects.map(\.id.key) == [1, 2, 3])
  }

  @Test("A unique value that the merge gives to two objects is a conflict")
  func unique() throws {
    let merge = try merge(
      ["Customer 1": ["number": 1], "Customer 2": ["number": 2]],
      ["Customer 1": ["number": 3], "Customer 2": ["number": 2]],
      ["Customer 1": ["number": 1], "Customer 2": ["number": 3]])
    #expect(
      merge.conflicts == [
        StoreMergeConflict(
          object: try id("Customer 2"), cause: .notUnique(["number"], other: try id("Customer 1")))
      ])
  }

  @Test("An object that each side moved is linked as its own side of the link defines")
  func moved() throws {
    func store(_ owner: Int) throws -> Objects {
      var objects: Objects = ["Order 1": ["customer": try link("Customer \(owner)")]]
      for customer in 1...3 {
        objects["Customer \(customer)"] = customer == owner ? ["orders": try links("Order 1")] : [:]
      }
      return objects
    }
    let merge = try merge(try store(1), try store(2), try store(3))
    #expect(
      merge.conflicts == [
        StoreMergeConflict(
          object: try id("Order 1"),
          cause: .value(
            "customer", base: try link("Customer 1"), ours: try link("Customer 2"), theirs: try link("Customer 3")))
      ])
    #expect(objects(merge.merged) == (try store(2)))
    #expect(objects(merge.alternative) == (try store(3)))
  }

  @Test(
    "The order of a relationship is merged as a list",
    arguments: [
      ("1 2 3", "1 2 3", "3 1 2", "3 1 2", false), ("1 2 3", "1 2 3 4", "3 1 2", "3 4 1 2", false),
      ("1 2 3", "1 4 2 3", "1 2 3 5", "1 4 2 3 5", false), ("1 2 3", "1 3", "1 2 3 4", "1 3 4", false),
      ("1 2 3", "2 1 3", "2 1 3", "2 1 3", false), ("1 2 3", "2 1 3", "3 1 2", "2 1 3", true),
      ("1 2 3", "3 2", "1 2", "2", false), ("1 2", "2 1", "1", "1", false), ("", "1 2", "3", "3 1 2", false),
    ])
  func order(_ base: String, _ ours: String, _ theirs: String, _ merged: String, _ isConflict: Bool) throws {
    func store(_ list: String) throws -> Objects {
      let keys = list.split(separator: " ")
      var objects: Objects = [:]
      for key in 1...5 {
        objects["Order \(key)"] = keys.contains("\(key)") ? ["customer": try link("Customer 1")] : [:]
      }
      let ids = try keys.map { try id("Order \($0)") }
      objects["Customer 1"] = ids.isEmpty ? [:] : ["orders": .objects(ids)]
      return objects
    }
    let merge = try merge(try store(base), try store(ours), try store(theirs))
    #expect(objects(merge.merged) == (try store(merged)))
    let conflict = StoreMergeConflict(object: try id("Customer 1"), cause: .order("orders"))
    #expect(merge.conflicts == (isConflict ? [conflict] : []))
    if isConflict { #expect(objects(merge.alternative) == (try store(theirs))) }
  }

  @Test("Metadata is merged entry by entry; an entry that both changed is an error, and so is another version")
  func metadata() throws {
    let model = try EntityHierarchy(Self.model)
    func merge(_ ours: [String: String], _ theirs: [String: String]) throws -> StoreMerge {
      try StoreMerge(
        base: document([:], entries: ["app": "1", "old": "x"]), ours: document([:], entries: ours),
        theirs: document([:], entries: theirs), model: model, paths: ("base", "ours", "theirs"))
    }
    let entries = try merge(["app": "2", "old": "x"], ["app": "1", "new": "y"]).merged.metadata.entries
    #expect(entries["app"] == .string("2") && entries["new"] == .string("y") && entries["old"] == nil)
    #expect(throws: StoreMergeError.metadata(path: "ours", entry: "app")) {
      try merge(["app": "2", "old": "x"], ["app": "3", "old": "x"])
    }
    let other = ManagedObjectModel { Entity("Customer") { Attribute("number", .integer64) } }
    var newer = try document([:])
    newer.metadata = newer.metadata.rewritten(for: try VersionHashes(of: other), identifiers: [])
    #expect(throws: StoreMergeError.versions(path: "theirs", ours: "ours")) {
      try StoreMerge(
        base: document([:]), ours: document([:]), theirs: newer, model: model, paths: ("base", "ours", "theirs"))
    }
    var full = try document(["Order 1": ["note": "a"]])
    full.lastKeys = ["Order": .max]
    #expect(throws: StoreMergeError.keys(path: "theirs", entity: "Order")) {
      try StoreMerge(
        base: document([:]), ours: full, theirs: document(["Order 1": ["note": "b"]]), model: model,
        paths: ("base", "ours", "theirs"))
    }
  }
}
