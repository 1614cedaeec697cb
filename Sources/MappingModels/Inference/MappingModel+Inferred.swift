public import ModelDescription

extension MappingModel {
  /// Infers how the objects of one version become those of another, as Core Data's lightweight migration does.
  ///
  /// What Core Data refuses only for certain rows is inferred here and listed by
  /// ``requirements(source:destination:)``.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  ///   - options: conversions and values beyond what Core Data infers.
  /// - Returns: one mapping for every destination entity in the order of their numbers, then one for each that goes.
  /// - Throws: ``InferenceFailure`` for the first thing that cannot be inferred.
  public static func inferred(
    from source: EntityHierarchy,
    to destination: EntityHierarchy,
    options: InferenceOptions = InferenceOptions()
  ) throws(InferenceFailure) -> MappingModel {
    try MappingInference(from: source, to: destination, options: options).mappingModel()
  }
}
