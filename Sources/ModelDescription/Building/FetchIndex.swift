/// A fetch index of an entity in code.
public struct FetchIndex: EntityComponent {
  private let index: FetchIndexDescription

  /// Describes an index.
  ///
  /// - Parameters:
  ///   - elements: the elements in their order, such as `.descending("date")`.
  ///   - predicate: the condition of a partial index.
  public init(
    _ name: String, _ elements: FetchIndexDescription.Element..., partialIndexPredicate predicate: String? = nil
  ) {
    index = FetchIndexDescription(name: name, elements: elements, partialIndexPredicate: predicate)
  }

  /// Adds the index to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.fetchIndexes.append(index) }
}

extension FetchIndexDescription.Element {
  /// A property in ascending order.
  public static func ascending(_ property: String) -> Self { .init(subject: .property(property)) }

  /// A property in descending order.
  public static func descending(_ property: String) -> Self { .init(subject: .property(property), isAscending: false) }

  /// A property in an R-tree, for spatial searches.
  public static func rTree(_ property: String) -> Self { .init(subject: .property(property), kind: .rTree) }
}

/// A compound index of the older format, in code; newer models have a ``FetchIndex``.
public struct CompoundIndex: EntityComponent {
  private let properties: [String]

  /// Describes an index over properties, by their names.
  public init(_ properties: String...) { self.properties = properties }

  /// Adds the index to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.compoundIndexes.append(properties) }
}

/// A uniqueness constraint of an entity in code: no two objects have the same values of these attributes together.
public struct UniquenessConstraint: EntityComponent {
  private let properties: [String]

  /// Describes a constraint over attributes, by their names.
  public init(_ properties: String...) { self.properties = properties }

  /// Adds the constraint to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.uniquenessConstraints.append(properties) }
}
