/// One of the two models that a mapping leads from and to.
public enum MappingSide: String, Hashable, Sendable, CaseIterable {
  case source
  case destination
}
