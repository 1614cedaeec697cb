public import ModelDescription

/// A model with an attribute of every type, inheritance, and relationships of every kind.
public enum EveryTypeModel {
  /// Its attributes, a composite and a transient one apart.
  public static let types: [(String, AttributeType)] = [
    ("i16", .integer16), ("i32", .integer32), ("i64", .integer64), ("dec", .decimal), ("dbl", .double),
    ("flt", .float), ("text", .string), ("flag", .boolean), ("day", .date), ("blob", .binary), ("uid", .uuid),
    ("link", .uri), ("any", .undefined), ("thing", .transformable),
  ]

  /// Makes the model.
  ///
  /// - Parameters:
  ///   - types: its attributes.
  ///   - more: attributes beside these.
  ///   - isOrdered: true where an owner's items have an order.
  /// - Returns: the model.
  public static func model(
    types: [(String, AttributeType)] = types, adding more: [AttributeDescription] = [],
    ordersItems isOrdered: Bool = false
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Item",
        attributes: types.map { AttributeDescription(name: $0.0, type: $0.1, isOptional: true) } + [
          AttributeDescription(
            name: "place", type: .composite, isOptional: true,
            elements: [
              AttributeDescription(name: "Latitude", type: .double, isOptional: true),
              AttributeDescription(
                name: "inner", type: .composite, isOptional: true,
                elements: [AttributeDescription(name: "word", type: .string, isOptional: true)]),
            ]),
          AttributeDescription(name: "passing", type: .string, isOptional: true, isTransient: true),
        ] + more,
        relationships: [
          RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "items", maxCount: 1),
          RelationshipDescription(
            name: "friends", destinationEntityName: "Item", inverseName: "friends", isOptional: true),
          RelationshipDescription(
            name: "row", destinationEntityName: "Item", inverseName: nil, isOptional: true, isOrdered: true),
        ]),
      EntityDescription(
        name: "BigItem", superentityName: "Item",
        attributes: [AttributeDescription(name: "aSize", type: .integer64, isOptional: true)],
        relationships: [
          RelationshipDescription(name: "boss", destinationEntityName: "Item", isOptional: true, maxCount: 1)
        ]),
      EntityDescription(
        name: "Owner", attributes: [AttributeDescription(name: "fullName", type: .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            name: "items", destinationEntityName: "Item", inverseName: "owner", isOptional: true, isOrdered: isOrdered)
        ]),
      EntityDescription(name: "Nothing", isAbstract: true),
    ])
  }
}
