/// A compound index of the older form, in code; newer models have a ``FetchIndex``.
public struct CompoundIndex: EntityComponent {
  private let properties: [String]

  /// Describes an index over properties, by their names.
  public init(_ properties: String...) { self.properties = properties }

  /// Adds the index to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.compoundIndexes.append(properties) }
}
