import Foundation
import ModelDescription

/// A model with an attribute of every type and a relationship of every kind, for which `StudioTypes.swift` is generated.
enum StudioModel {
  static let model = ManagedObjectModel {
    Composite("Place") {
      Attribute("street", .string)
      Attribute("spot", .composite("Spot")).optional()
    }
    Composite("Spot") {
      Attribute("latitude", .double).optional()
      Attribute("image", .binary).optional()
    }
    Entity("Person") {
      Attribute("name", .string)
      Attribute("initial", .string).optional()
      Relationship("ventures", toMany: "Venture", inverse: "owner", deleteRule: .deny)
      Relationship("reviews", toMany: "Venture", inverse: "reviewers")
    }
    Entity("Employee", parent: "Person") {
      Attribute("salary", .decimal, default: 10)
      Relationship("mentor", toOne: "Employee", inverse: "pupils").optional()
      Relationship("pupils", toMany: "Employee", inverse: "mentor")
    }
    Entity("Venture") {
      Attribute("title", .string, default: "untitled")
      Attribute("code", .integer64).optional()
      Attribute("isOpen", .boolean, default: true)
      Attribute("budget", .decimal, default: 19.99)
      Attribute("rate", .double, default: 0.1)
      Attribute("factor", .float, default: 0.5)
      Attribute("level", .integer16, default: 3)
      Attribute("size", .integer32, default: 70_000)
      Attribute("started", .date, default: Date(timeIntervalSinceReferenceDate: 0))
      Attribute("deadline", .date).optional()
      Attribute("token", .uuid).optional()
      Attribute("site", .uri).optional()
      Attribute("photo", .binary).optional().allowsExternalBinaryDataStorage()
      Attribute("palette", .transformable).optional()
      Attribute("place", .composite("Place")).optional()
      Attribute("memo", .string).transient()
      Attribute("default", .string).optional()
      Attribute("version", .string).optional()
      Attribute("stepCount", .integer64).derived(from: "steps.@count")
      Relationship("owner", toOne: "Person", inverse: "ventures")
      Relationship("reviewers", toMany: "Person", inverse: "reviews")
      Relationship("steps", toMany: "Step", inverse: "venture", deleteRule: .cascade).ordered()
      UniquenessConstraint("code")
    }
    Entity("Step") {
      Attribute("title", .string)
      Attribute("minutes", .integer32, default: 0)
      Relationship("venture", toOne: "Venture", inverse: "steps").optional()
    }
  }
}
