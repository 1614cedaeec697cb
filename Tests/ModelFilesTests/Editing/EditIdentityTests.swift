import Foundation
import ModelDescription
import ModelFiles
import Testing

@Suite("No two things of a version are known by one name")
struct EditIdentityTests {
  @Test("A new element cannot have the identifier of a renamed element, because no store could be migrated")
  func sharedIdentity() throws {
    func refused(_ edit: ContentsEdit, _ data: Data, _ element: ModelElement, _ name: String, _ other: ModelElement) {
      #expect(throws: ContentsEditError.sharedIdentity(element, name, with: other)) {
        try EditedContents(edit, of: data, path: "contents")
      }
    }
    let heading = try ContentsEditTests.edited(.rename(.property(entity: "Order", name: "title"), to: "heading")).data
    let title = AttributeDescription(name: "title", type: .string, isOptional: true)
    let renamed = ModelElement.property(entity: "Order", name: "heading")
    for entity in ["Order", "Letter"] {
      refused(
        .addAttribute(title, entity: entity), heading, .property(entity: entity, name: "title"), "title", renamed)
    }
    let relationship = RelationshipDescription(name: "title", destinationEntityName: "Customer", isOptional: true)
    _ = try EditedContents(
      .addRelationship(relationship, entity: "Order", inverse: nil), of: heading, path: "contents")
    // As somebody may have left it by hand.
    let byHand = String(decoding: heading, as: UTF8.self).replacing(
      #"<attribute name="total" attributeType="Decimal""#, with: #"<attribute name="title" attributeType="Decimal""#)
    refused(
      .rename(.property(entity: "Order", name: "title"), to: "caption"), Data(byHand.utf8),
      .property(entity: "Order", name: "title"), "title", renamed)

    let buyer = try ContentsEditTests.edited(.rename(.property(entity: "Order", name: "customer"), to: "buyer")).data
    let customer = RelationshipDescription(
      name: "customer", destinationEntityName: "Customer", isOptional: true, maxCount: 1)
    refused(
      .addRelationship(customer, entity: "Order", inverse: nil), buyer, .property(entity: "Order", name: "customer"),
      "customer", .property(entity: "Order", name: "buyer"))
    let letters = RelationshipDescription(name: "letters", destinationEntityName: "Letter", isOptional: true)
    refused(
      .addRelationship(letters, entity: "Customer", inverse: customer), buyer,
      .property(entity: "Letter", name: "customer"), "customer", .property(entity: "Order", name: "buyer"))

    let purchase = try ContentsEditTests.edited(ContentsEditTests.order).data
    refused(
      .addEntity(EntityDescription(name: "Order")), purchase, .entity("Order"), "Order", .entity("Purchase"))
    #expect(
      "\(ContentsEditError.sharedIdentity(.entity("Order"), "Order", with: .entity("Purchase")))"
        == "“Order” identifies Purchase in other versions, so Order cannot use it: a migration could not tell the two "
        + "apart; choose another name for the new element")
  }

  @Test(
    "A rename sets the name of the previous version as identifier, over any other identifier",
    arguments: [
      ("", ElementOrigin.continues(canonicalName: "a"), "b", " elementID=\"a\""),
      ("", .continues(canonicalName: "z"), "b", " elementID=\"z\""),
      ("", .continues(canonicalName: "b"), "b", ""), ("", .added, "b", ""),
      (" elementID=\"a\"", .continues(canonicalName: "z"), "b", " elementID=\"z\""),
      (" renamingIdentifier=\"a\"", .continues(canonicalName: "z"), "b", " renamingIdentifier=\"z\""),
      (" elementID=\"z\"", .continues(canonicalName: "z"), "b", " elementID=\"z\""),
      (" elementID=\"z\"", .added, "b", " elementID=\"z\""),
    ])
  func origin(_ written: String, _ origin: ElementOrigin, _ name: String, _ result: String) throws {
    let text = "<model><entity name=\"E\"><attribute name=\"a\" attributeType=\"String\"\(written)/></entity></model>"
    let edited = try EditedContents(
      .rename(.property(entity: "E", name: "a"), to: name, origin: origin), of: Data(text.utf8), path: "contents")
    #expect(
      String(decoding: edited.data, as: UTF8.self)
        == "<model><entity name=\"E\"><attribute name=\"\(name)\" attributeType=\"String\"\(result)/></entity></model>")
  }
}
