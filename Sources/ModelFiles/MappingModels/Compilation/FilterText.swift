import MappingModels

/// Reads the text of the predicate that chooses source objects.
enum FilterText {
  static func filter(_ text: String, location: SourceLocation) throws(ModelFileError) -> ValueExpression? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    do {
      let filter = try ValueExpression(parsing: text)
      return filter == .truth(true) ? nil : filter
    } catch {
      throw .mapping(location: location, defect: .unreadableFilter(text, reason: error))
    }
  }
}
