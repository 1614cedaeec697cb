import MappingModels

/// Reads the text of the predicate that chooses source objects.
enum FilterText {
  /// What stands in compiled mapping models where there is no filter.
  static let all = "TRUEPREDICATE"

  static func filter(_ text: String, location: SourceLocation) throws(ModelFileError) -> ValueExpression? {
    if text.allSatisfy(\.isWhitespace) || text == all { return nil }
    throw .mapping(location: location, defect: .unreadableFilter(text, reason: "no parser yet"))
  }
}
