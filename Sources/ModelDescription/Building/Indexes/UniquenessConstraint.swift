/// A uniqueness constraint of an entity in code: no two objects have the same values of these attributes together.
public struct UniquenessConstraint: EntityComponent {
  private let properties: [String]

  /// Describes a constraint over attributes, by their names.
  public init(_ properties: String...) { self.properties = properties }

  /// Adds the constraint to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.uniquenessConstraints.append(properties) }
}
