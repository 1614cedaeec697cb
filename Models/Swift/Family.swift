public import ModelKit

/// Users who are each other's parents and children.
public enum Family {
  /// The first version.
  public static let v1 = model(childrenAreOrdered: false)

  /// The children have an order.
  public static let v2 = model(childrenAreOrdered: true)

  private static func model(childrenAreOrdered: Bool) -> ManagedObjectModel {
    let children = Relationship("children", toMany: "User", inverse: "parent")
    return ManagedObjectModel {
      Entity("User") {
        Attribute("name", .string)
        if childrenAreOrdered { children.ordered() } else { children }
        Relationship("parent", toOne: "User", inverse: "children").optional()
      }
    }
  }
}
