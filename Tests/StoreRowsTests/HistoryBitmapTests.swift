import ModelDescription
import PersistentStores
import StoreRows
import Testing

@Suite("The bits of persistent history")
struct HistoryBitmapTests {
  private func bits(_ entity: String, _ model: ManagedObjectModel) throws -> [String] {
    HistoryBitmap(of: entity, in: try EntityHierarchy(model)).bits.map { bit in
      switch bit {
      case .property(let name): name
      case .incoming(let address): "(\(address))"
      }
    }
  }

  /// The bits of two entities as 460 updates have them that Core Data wrote.
  @Test("Few names have the places of a table of 41, many those of a larger one")
  func order() throws {
    let lists = ["bankStatement", "carnetCheques", "echeanciers", "paymentMode", "rubric", "status", "transactions"]
    let model = ManagedObjectModel {
      Entity("Account") {
        Attribute("uuid", .uuid).optional()
        Attribute("name", .string).optional()
        Relationship("preference", toOne: "Category").optional()
        Relationship("bank", toOne: "Category").optional()
        for list in lists { Relationship(list, toMany: "Category") }
      }
      Entity("Category") {
        Attribute("name", .string).optional()
        Attribute("note", .string).optional().transient()
        Relationship("rubric", toOne: "Category").optional()
        Relationship("echeancier", toMany: "Special", inverse: "more")
        Relationship("sousOperations", toMany: "Special", inverse: "others")
      }
      Entity("Special", parent: "Account") {
        Attribute("mark", .string).optional()
        Relationship("more", toOne: "Category", inverse: "echeancier").optional()
        Relationship("others", toOne: "Category", inverse: "sousOperations").optional()
      }
    }
    #expect(
      try bits("Account", model) == [
        "bank", "preference", "name", "uuid", "bankStatement", "paymentMode", "status", "carnetCheques", "rubric",
        "transactions", "echeanciers",
      ])
    #expect(
      try bits("Category", model)
        == ["rubric"] + lists.map { "(Account.\($0))" } + ["name", "sousOperations", "echeancier"])
    #expect(
      try bits("Special", model).prefix(7) == ["bank", "more", "others", "preference", "mark", "name", "uuid"])
  }

  @Test("Names of one place take the next, and the order of long names follows from their parts")
  func places() throws {
    let names = (0..<60).map { "list\($0)" } + [String(repeating: "long", count: 30)]
    let model = ManagedObjectModel {
      Entity("A") { for name in names { Relationship(name, toMany: "B") } }
      Entity("B") { Attribute("name", .string).optional() }
    }
    let found = try bits("A", model)
    #expect(found.count == names.count && Set(found) == Set(names) && found != names)
  }
}
