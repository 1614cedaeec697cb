import MappingModels
public import ModelComparison
public import ModelDescription

extension DifferenceReport {
  /// Takes two models and tells whether a mapping between them is inferred.
  ///
  /// - Parameters:
  ///   - from: the name of the older version.
  ///   - former: the older version.
  ///   - to: the name of the newer version.
  ///   - latter: the newer version.
  ///   - difference: what changed between them.
  public init(
    from: String, _ former: EntityHierarchy, to: String, _ latter: EntityHierarchy, _ difference: ModelDifference
  ) {
    var failure: InferenceFailure?
    do {
      _ = try MappingModel.inferred(from: former, to: latter)
    } catch {
      failure = error
    }
    self.init(from: from, to: to, difference, failure: failure)
  }
}
