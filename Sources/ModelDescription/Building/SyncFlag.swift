/// What of an entity has the obsolete sync flag of the editor, which enters no hash.
public enum SyncFlag: Hashable, Sendable {
  /// Nothing.
  case none
  /// The entity, as in files of newer Xcodes.
  case entity
  /// The entity and every property that does not say otherwise, as in files of older Xcodes.
  case withProperties
}
