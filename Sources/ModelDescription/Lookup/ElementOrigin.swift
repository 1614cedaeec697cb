/// What an entity, attribute or relationship of a version continues of the version before.
public enum ElementOrigin: Hashable, Sendable {
  /// Nothing: the version before does not have it.
  case added
  /// What the version before knows by this name: the renaming identifier there, else the name.
  case continues(canonicalName: String)
}
