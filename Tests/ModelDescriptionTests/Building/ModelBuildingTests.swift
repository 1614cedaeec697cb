import ModelChecks
import ModelDescription
import ModelFiles
import Testing

@Suite("Models in code")
struct ModelBuildingTests {
  struct Author: EntityDescribing {
    static let entity = Entity("Author") {
      Attribute("name", .string)
      Relationship("books", toMany: Book.self, inverse: "author")
    }
  }

  struct Book: EntityDescribing {
    static let entity = Entity("Book", parent: Medium.self) {
      Relationship("author", toOne: Author.self, inverse: "books").optional()
      FetchedProperty("others", of: Book.self, predicate: "author == $FETCH_SOURCE.author")
    }
  }

  struct Medium: EntityDescribing {
    static let entity = Entity("Medium", isAbstract: true) { Attribute("title", .string) }
  }

  static let library = ManagedObjectModel(versionIdentifiers: ["1.0"]) {
    Author.self
    Book.self
    Medium.self
    Configuration("Catalogue") {
      Book.self
      "Medium"
    }
    FetchRequestTemplate("titled", of: Medium.self, predicate: "title == $TITLE", settings: ["fetchLimit": "5"])
  }

  @Test("Entities beside their types name each other by type")
  func types() {
    let model = Self.library
    #expect(model.entities.map(\.name) == ["Author", "Book", "Medium"])
    #expect(model.entities.map(\.superentityName) == [nil, "Medium", nil])
    #expect(model.entities.flatMap(\.relationships).map(\.destinationEntityName) == ["Book", "Author"])
    #expect(model.configurations == [ModelConfiguration(name: "Catalogue", entityNames: ["Book", "Medium"])])
    #expect(
      model.fetchRequests == [
        FetchRequestDescription(
          name: "titled", entityName: "Medium", predicate: "title == $TITLE", settings: ["fetchLimit": "5"])
      ])
    #expect(model.entities[1].fetchedProperties.map(\.fetchRequest?.entityName) == ["Book"])
    #expect(model.versionIdentifiers == ["1.0"])
    #expect(throws: Never.self) { try EntityHierarchy(model) }
  }

  @Test("An invalid hierarchy is refused as in a file", arguments: broken)
  func structure(model: ManagedObjectModel, error: ModelStructureError) {
    #expect(throws: error) { try EntityHierarchy(model) }
  }

  static let broken: [(ManagedObjectModel, ModelStructureError)] = [
    (
      ManagedObjectModel {
        Entity("A")
        Entity("A")
      }, .duplicateEntity(name: "A")
    ),
    (
      ManagedObjectModel {
        Entity("A") {
          Attribute("x", .string)
          Relationship("x", toOne: "A")
        }
      }, .duplicateProperty(entity: "A", name: "x")
    ),
    (ManagedObjectModel { Entity("A", parent: "B") }, .unknownSuperentity(entity: "A", superentity: "B")),
    (ManagedObjectModel { Entity("A", parent: "A") }, .inheritanceCycle(entities: ["A"])),
    (
      ManagedObjectModel {
        Composite("P") { Attribute("q", .composite("Q")) }
        Composite("Q") { Attribute("p", .composite("P")) }
      }, .compositeCycle(composites: ["P", "Q", "P"])
    ),
  ]

  @Test("The rules of check find other errors")
  func rules() {
    let model = ManagedObjectModel {
      Entity("Order") {
        Relationship("customer", toOne: "Costumer", inverse: "orders")
        Relationship("rows", toMany: "Row", inverse: "order")
      }
      Entity("Row") { Relationship("order", toOne: "Order") }
      Entity("Customer")
    }
    let found = Rule.check(model, named: "Shop").map { "\($0.rule): \($0.message)" }
    #expect(
      found == [
        "unknown-destination: the destination “Costumer” of relationship Order.customer is not in the model",
        "one-sided-inverse: the inverse Row.order of Order.rows does not point back: it does not name an inverse",
        "missing-inverse: relationship Row.order does not have an inverse, so it keeps pointing to deleted objects",
      ])
  }
}
