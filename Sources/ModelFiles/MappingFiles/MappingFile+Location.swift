import MappingModels

extension MappingFile {
  /// The place of an entity mapping or of one of its properties, else of what holds it.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name; nil for the whole file.
  ///   - property: the destination property; nil for the whole mapping.
  /// - Returns: the place.
  public func location(ofMapping name: String?, property: String?) -> SourceLocation {
    guard let position = written.entityMappings.firstIndex(where: { ($0.name ?? $0.defaultName) == name }) else {
      return location(of: .model)
    }
    let mapping = written.entityMappings[position]
    if let attribute = mapping.attributes.firstIndex(where: { $0.name == property }) {
      return location(of: .attribute(attribute, of: position))
    }
    if let relationship = mapping.relationships.firstIndex(where: { $0.name == property }) {
      return location(of: .relationship(relationship, of: position))
    }
    return location(of: .entityMapping(position))
  }
}
