public import ModelKit

/// Employees who turn out to be people.
public enum Staff {
  private static let department = Entity("Department") {
    Attribute("name", .string)
    Relationship("employees", toMany: "Employee", inverse: "department")
  }

  /// The first version.
  public static let v1 = ManagedObjectModel {
    department
    Entity("Employee") {
      Attribute("birthday", .date).optional()
      Attribute("hiringDate", .date)
      Attribute("name", .string)
      Attribute("salary", .decimal, default: 0)
      Relationship("department", toOne: "Department", inverse: "employees").optional()
    }
  }

  /// What every person has moves to an abstract parent.
  public static let v2 = ManagedObjectModel {
    department
    Entity("Employee", parent: "Person") {
      Attribute("hiringDate", .date)
      Attribute("salary", .decimal, default: 0)
      Relationship("department", toOne: "Department", inverse: "employees").optional()
    }
    Entity("Person", isAbstract: true) {
      Attribute("birthday", .date).optional()
      Attribute("name", .string)
    }
  }
}
