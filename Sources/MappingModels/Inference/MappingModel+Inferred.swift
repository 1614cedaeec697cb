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
  /// - Throws: ``InferenceRefusal`` for the first thing that cannot be inferred.
  public static func inferred(
    from source: EntityHierarchy,
    to destination: EntityHierarchy,
    options: InferenceOptions = InferenceOptions()
  ) throws(InferenceRefusal) -> MappingModel {
    try MappingInference(from: source, to: destination, options: options).mappingModel()
  }

  /// Why no mapping is inferred between two versions.
  ///
  /// - Parameters:
  ///   - source: the older version.
  ///   - destination: the newer version.
  /// - Returns: the first thing that cannot be inferred, nil where a mapping is.
  public static func refusal(from source: EntityHierarchy, to destination: EntityHierarchy) -> InferenceRefusal? {
    do {
      _ = try inferred(from: source, to: destination)
      return nil
    } catch {
      return error
    }
  }

  /// Everything that cannot be inferred between two versions, and the mapping as if none of it mattered.
  ///
  /// What a cast would convert is converted in it, so that its requirements name the values that would not survive.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  ///   - options: conversions and values beyond what Core Data infers.
  /// - Returns: the failures, none where everything can be inferred, and the mapping.
  public static func inferenceRefusals(
    from source: EntityHierarchy, to destination: EntityHierarchy, options: InferenceOptions = InferenceOptions()
  ) -> (failures: [InferenceRefusal], mapping: MappingModel?) {
    let collector = InferenceRefusalCollector()
    let mapping = try? MappingInference(from: source, to: destination, options: options, collector: collector)
      .mappingModel()
    return (collector.failures, mapping)
  }
}
