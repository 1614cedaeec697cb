extension XcodeMappingModel {
  /// The place of an entity mapping or of one of its properties, else of what holds it.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name, as compiling gives it; nil for the whole file.
  ///   - property: the destination property; nil for the whole mapping.
  /// - Returns: the place.
  public func location(ofMapping name: String?, property: String?) -> SourceLocation {
    guard let name, let mapping = entityMappings.first(where: { MappingCompiler.name(of: $0) == name }) else {
      return SourceLocation(file: path, line: 1, column: 1)
    }
    let properties = mapping.attributeMappings + mapping.relationshipMappings
    return properties.first { $0.name == property }?.location ?? mapping.location
  }
}
