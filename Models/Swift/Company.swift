public import ModelKit

/// Workers who take a second job.
public enum Company {
  /// A worker has one company.
  public static let v1 = ManagedObjectModel {
    company(inverse: "company")
    Entity("Worker") {
      Attribute("name", .string)
      Relationship("company", toOne: "Company", inverse: "workers").optional()
    }
  }

  /// A worker has companies; the links move along.
  public static let v2 = ManagedObjectModel {
    company(inverse: "companies")
    Entity("Worker") {
      Attribute("name", .string)
      Relationship("companies", toMany: "Company", inverse: "workers").renamingIdentifier("company")
    }
  }

  private static func company(inverse: String) -> Entity {
    Entity("Company") {
      Attribute("founded", .date).optional()
      Attribute("name", .string)
      Relationship("workers", toMany: "Worker", inverse: inverse)
    }
  }
}
