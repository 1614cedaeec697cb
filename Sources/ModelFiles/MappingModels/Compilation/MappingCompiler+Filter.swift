import MappingModels

extension MappingCompiler {
  /// Which objects are read: the filter predicate, or the one inside an explicit source expression.
  func filter(of mapping: XcodeEntityMapping) throws(ModelFileError) -> ValueExpression? {
    var text = mapping.filter
    switch mapping.sourceExpression {
    case nil: break
    case .unreadable(let reason):
      throw .mapping(
        location: mapping.location,
        defect: .unreadableExpression(of: mapping.source ?? mapping.destination ?? "?", reason: reason))
    case .readable(let expression):
      guard let fetch = SourceFetch(expression), fetch.entity == mapping.source else {
        throw .mapping(location: mapping.location, defect: .unsupportedSourceExpression)
      }
      text = fetch.predicate
    }
    guard let text else { return nil }
    return try FilterText.filter(text, location: mapping.location)
  }
}
