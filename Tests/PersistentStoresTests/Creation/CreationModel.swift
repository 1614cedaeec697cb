import Foundation
import ModelDescription

/// A model with every kind of property and constraint.
enum CreationModel {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person", isAbstract: true,
      attributes: [
        AttributeDescription(name: "email", type: .string),
        AttributeDescription(name: "born", type: .date, isOptional: true),
      ],
      relationships: [
        RelationshipDescription(
          name: "orders", destinationEntityName: "Order", inverseName: "buyer", isOptional: true, isOrdered: true),
        RelationshipDescription(
          name: "spouse", destinationEntityName: "Person", inverseName: "spouse", isOptional: true, maxCount: 1),
        RelationshipDescription(
          name: "friends", destinationEntityName: "Person", inverseName: "friends", isOptional: true),
        RelationshipDescription(
          name: "follows", destinationEntityName: "Person", inverseName: "followedBy", isOptional: true),
        RelationshipDescription(
          name: "followedBy", destinationEntityName: "Person", inverseName: "follows", isOptional: true),
      ],
      uniquenessConstraints: [["email"]]
    ),
    EntityDescription(
      name: "Customer", superentityName: "Person",
      attributes: [
        AttributeDescription(
          name: "code", type: .string,
          validation: AttributeValidation(minimum: .integer(4), maximum: .integer(6))),
        AttributeDescription(
          name: "level", type: .integer16, validation: AttributeValidation(minimum: .integer(1), maximum: .integer(5))),
      ],
      relationships: [
        RelationshipDescription(
          name: "card", destinationEntityName: "Card", inverseName: "holder", isOptional: true, maxCount: 1)
      ],
      uniquenessConstraints: [["code"], ["level", "email"]]
    ),
    EntityDescription(name: "Employee", superentityName: "Person"),
    EntityDescription(
      name: "Card",
      attributes: [
        AttributeDescription(name: "token", type: .uuid), AttributeDescription(name: "limit", type: .decimal),
      ],
      relationships: [
        RelationshipDescription(name: "holder", destinationEntityName: "Customer", inverseName: "card", maxCount: 1)
      ]
    ),
    EntityDescription(
      name: "Order",
      attributes: [
        AttributeDescription(
          name: "total", type: .double, validation: AttributeValidation(minimum: .double(0.5), maximum: .double(9))),
        AttributeDescription(name: "weight", type: .float), AttributeDescription(name: "isPaid", type: .boolean),
        AttributeDescription(name: "scan", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
        AttributeDescription(name: "raw", type: .binary), AttributeDescription(name: "info", type: .transformable),
        AttributeDescription(name: "link", type: .uri), AttributeDescription(name: "serial", type: .integer64),
        AttributeDescription(
          name: "lineCount", type: .integer64, isOptional: true, derivation: Derivation(expression: "lines.@count")),
        AttributeDescription(
          name: "buyerEmail", type: .string, isOptional: true, derivation: Derivation(expression: "buyer.email")),
        AttributeDescription(
          name: "place", type: .composite, isOptional: true,
          elements: [
            AttributeDescription(name: "x", type: .double), AttributeDescription(name: "y", type: .double),
          ]),
        AttributeDescription(name: "latitude", type: .double), AttributeDescription(name: "longitude", type: .double),
      ],
      relationships: [
        RelationshipDescription(name: "buyer", destinationEntityName: "Person", inverseName: "orders", maxCount: 1),
        RelationshipDescription(
          name: "lines", destinationEntityName: "Line", inverseName: "order", isOptional: true, maxCount: 2),
        RelationshipDescription(
          name: "tags", destinationEntityName: "Tag", inverseName: "orders", isOptional: true, maxCount: 3,
          isOrdered: true),
        RelationshipDescription(name: "notes", destinationEntityName: "Note", isOptional: true, isOrdered: true),
      ],
      fetchIndexes: [
        FetchIndexDescription(
          name: "byPlace",
          elements: ["latitude", "longitude"].map {
            FetchIndexDescription.Element(subject: .property($0), kind: .rTree)
          })
      ]
    ),
    EntityDescription(
      name: "Line",
      relationships: [
        RelationshipDescription(
          name: "order", destinationEntityName: "Order", inverseName: "lines", isOptional: true, maxCount: 1),
        RelationshipDescription(
          name: "parent", destinationEntityName: "Line", inverseName: "children", isOptional: true, maxCount: 1),
        RelationshipDescription(
          name: "children", destinationEntityName: "Line", inverseName: "parent", isOptional: true),
      ]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "orders", destinationEntityName: "Order", inverseName: "tags", isOptional: true, isOrdered: true)
      ]),
    EntityDescription(name: "Note", attributes: [AttributeDescription(name: "text", type: .string, isOptional: true)]),
  ])
}
