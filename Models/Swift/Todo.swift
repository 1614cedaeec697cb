public import ModelKit

/// The model of a small app, as it was and as it is after its first update.
public enum Todo {
  /// The first version.
  public static let v1 = ManagedObjectModel {
    Entity("Todo") {
      Attribute("createdAt", .date)
      Attribute("isDone", .boolean, default: false)
      Attribute("title", .string)
    }
  }

  /// With due dates and priorities.
  public static let v2 = ManagedObjectModel {
    Entity("Todo") {
      Attribute("createdAt", .date)
      Attribute("dueDate", .date).optional()
      Attribute("isDone", .boolean, default: false)
      Attribute("priority", .integer16, default: 0)
      Attribute("title", .string)
      FetchIndex("byDueDate", .ascending("dueDate"), .descending("priority"))
    }
  }
}
