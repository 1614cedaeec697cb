import Foundation
import ModelDescription

/// Two versions of a small shop, between which mapping files are written.
enum ShopModels {
  static func source() throws -> EntityHierarchy {
    try EntityHierarchy(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Customer",
          attributes: [
            AttributeDescription(name: "firstName", type: .string, isOptional: true),
            AttributeDescription(name: "lastName", type: .string),
            AttributeDescription(name: "age", type: .integer16, isOptional: true),
            AttributeDescription(name: "street", type: .string, isOptional: true),
            AttributeDescription(name: "since", type: .string, isOptional: true),
          ],
          relationships: [
            RelationshipDescription(
              name: "orders", destinationEntityName: "Order", inverseName: "customer", isOptional: true)
          ]
        ),
        EntityDescription(
          name: "Order",
          attributes: [
            AttributeDescription(name: "number", type: .integer32),
            AttributeDescription(name: "total", type: .double, isOptional: true),
          ],
          relationships: [
            RelationshipDescription(
              name: "customer", destinationEntityName: "Customer", inverseName: "orders", isOptional: true, maxCount: 1)
          ]
        ),
        EntityDescription(name: "Note", attributes: [AttributeDescription(name: "title", type: .string)]),
      ])
    )
  }

  static func destination(personContinuesCustomer: Bool = false) throws -> EntityHierarchy {
    try EntityHierarchy(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Person",
          attributes: [
            AttributeDescription(name: "fullName", type: .string),
            AttributeDescription(name: "age", type: .integer64, defaultValue: .integer(18)),
            AttributeDescription(name: "since", type: .date, isOptional: true),
          ],
          relationships: [
            RelationshipDescription(
              name: "orders", destinationEntityName: "Order", inverseName: "buyer", isOptional: true),
            RelationshipDescription(
              name: "address", destinationEntityName: "Address", inverseName: "person", isOptional: true, maxCount: 1),
          ],
          renamingIdentifier: personContinuesCustomer ? "Customer" : nil
        ),
        EntityDescription(
          name: "Order",
          attributes: [
            AttributeDescription(name: "number", type: .integer64),
            AttributeDescription(name: "total", type: .decimal, isOptional: false, defaultValue: .decimal(0)),
            AttributeDescription(name: "cached", type: .string, isOptional: true, isTransient: true),
          ],
          relationships: [
            RelationshipDescription(
              name: "buyer", destinationEntityName: "Person", inverseName: "orders", isOptional: true, maxCount: 1,
              renamingIdentifier: "customer")
          ]
        ),
        EntityDescription(
          name: "Address",
          attributes: [AttributeDescription(name: "street", type: .string, isOptional: true)],
          relationships: [
            RelationshipDescription(
              name: "person", destinationEntityName: "Person", inverseName: "address", isOptional: true, maxCount: 1)
          ]
        ),
      ])
    )
  }
}
