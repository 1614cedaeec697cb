import Foundation
import ModelDescription
import ModelFiles
import Testing

@Suite("An element is removed with everything that depends on it")
struct ContentsRemovalTests {
  @Test("A removed attribute takes constraints with it and columns of indexes, and empty indexes")
  func removeAttribute() throws {
    let edited = try ContentsEditTests.edited(.remove(.property(entity: "Order", name: "title")))
    #expect(
      edited.changes.map(\.sentence) == [
        "Order.title: removed", "Letter index byTitle: removed", "Order index byNumber: without title",
        "Order uniqueness constraint 1: removed, it contained title",
        "Order uniqueness constraint 2: removed, it contained title",
      ])
    let text = String(decoding: edited.data, as: UTF8.self)
    #expect(!text.contains("uniquenessConstraint"))
    #expect(text.contains(#"syncable="YES" future="kept"/>"# + "\n"), "an entity that is empty is closed at once")
    #expect(!text.contains("\n\n"), "no line stays empty")
  }

  @Test("A removed relationship takes its inverse with it")
  func removeRelationship() throws {
    let model = ContentsEditTests.model.replacing(/derived="YES" derivationExpression="orders[^"]*"/, with: "")
    let edited = try ContentsEditTests.edited(.remove(.property(entity: "Order", name: "customer")), model)
    #expect(
      edited.changes.map(\.sentence) == [
        "Order.customer: removed", "Customer.orders: removed, it was the inverse of Order.customer",
      ])
    #expect(edited.warnings == [])
  }

  @Test(
    "The source of a derived attribute cannot be removed before the attribute",
    arguments: [
      (ModelElement.property(entity: "Order", name: "customer"), "orders", "orderCount", "orders.@count"),
      (.property(entity: "Customer", name: "orders"), "orders", "orderCount", "orders.@count"),
      (.property(entity: "Order", name: "total"), "total", "total", "orders.@sum.total"),
    ])
  func removeDerivedFrom(_ element: ModelElement, _ name: String, _ derived: String, _ expression: String) throws {
    let error = ContentsEditError.derivedFrom(
      name, attribute: .property(entity: "Customer", name: derived), expression: expression)
    #expect(throws: error) { try ContentsEditTests.edited(.remove(element)) }
    #expect(
      "\(error)" == "Customer.\(derived) is derived from \(name): \(expression); remove the derived attribute first")
    #expect(error.advice?.commands.map(\.text) == ["modelctl edit remove Customer.\(derived)"])
    var data = Data(ContentsEditTests.model.utf8)
    for attribute in ["orderCount", "total"] {
      data = try EditedContents(
        .remove(.property(entity: "Customer", name: attribute)), of: data, path: "contents"
      ).data
    }
    #expect(try EditedContents(.remove(element), of: data, path: "contents").warnings == [])
  }

  @Test("An entity is removed with the relationships to it; an entity with sub-entities or derivations is kept")
  func removeEntity() throws {
    let edited = try ContentsEditTests.edited(.remove(.entity("Customer")))
    #expect(edited.changes.map(\.sentence) == ["Customer: removed", "Order.customer: removed, it pointed to Customer"])
    #expect(throws: ContentsEditError.hasSubentities("Order", ["Letter"])) {
      try ContentsEditTests.edited(.remove(.entity("Order")))
    }
    let childless = try ContentsEditTests.edited(.remove(.entity("Letter"))).data
    let order = ContentsEdit.remove(.entity("Order"))
    #expect(throws: ContentsEditError.self) { try EditedContents(order, of: childless, path: "contents") }
    let underived = String(decoding: childless, as: UTF8.self)
      .replacing(/derived="YES" derivationExpression="orders[^"]*"/, with: "")
    #expect(
      try ContentsEditTests.edited(order, underived).changes.map(\.sentence) == [
        "Order: removed", "Customer.orders: removed, it pointed to Order",
        "fetch request Recent: removed, it fetched Order",
        "configuration Local: without Order",
      ])
  }

  /// With a time that grew by the square of the size this would take a minute.
  @Test("Removing the destination of thousands of relationships removes all of them")
  func removeMany() throws {
    let (owners, count) = (8, 1000)
    var model = "<model><entity name=\"S\"/>"
    for owner in 0..<owners {
      model += "<entity name=\"E\(owner)\">"
      for number in 0..<count { model += "<relationship name=\"r\(number)\" toMany=\"YES\" destinationEntity=\"S\"/>" }
      model += "</entity>"
    }
    model += "</model>"
    let edited = try ContentsEditTests.edited(.remove(.entity("S")), model)
    #expect(edited.changes.count == 1 + owners * count)
    #expect(edited.file.model.entities.map(\.relationships.count) == Array(repeating: 0, count: owners))
  }
}
