public import MappingModels

extension XcodeMappingModel {
  /// The mapping model that Apple's `mapc` makes of this file, against the models it carries.
  ///
  /// - Throws: ``ModelFileError/mapping(location:defect:)`` for an expression or a filter that cannot be computed and
  ///   for two entity mappings of one name.
  public func compiled() throws(ModelFileError) -> CustomMappingModel {
    try compilation().mapping
  }

  /// The same as ``compiled()``, with notes on what the rules had to guess or pass over.
  ///
  /// - Throws: ``ModelFileError/mapping(location:defect:)``.
  public func compilation() throws(ModelFileError) -> MappingCompilation {
    var compiler = try MappingCompiler(self)
    return try compiler.compile()
  }
}
