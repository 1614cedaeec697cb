/// Whether generated code uses scalars for the attributes of an entity that do not say so themselves; it enters no hash.
public enum ScalarValues: Hashable, Sendable {
  /// Yes for numbers and Booleans, no for dates and UUIDs, nothing for the rest: as for a new attribute in Xcode.
  case whereXcodeDoes
  /// No for numbers, Booleans, dates and UUIDs, nothing for the rest.
  case nowhere
  /// Nothing is said, as in the oldest files and in compiled models.
  case unsaid

  /// What an attribute of a type has.
  public func flag(for type: AttributeType) -> Bool? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean:
      self == .unsaid ? nil : self == .whereXcodeDoes
    case .date, .uuid: self == .unsaid ? nil : false
    default: nil
    }
  }
}
