import ModelKit

/// A name whose loss is consented to.
struct ConsentName: Hashable {
  /// The entity, or `Entity.property`.
  let text: String
  /// Where it stands in a file; nil when it was an argument.
  let location: SourceLocation?
}
