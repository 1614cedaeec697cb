public import ModelFiles

/// Everything that is checked in one run.
public struct CheckedProject: Sendable {
  /// Models that belong to no bundle that is checked.
  public var models: [ModelFile]
  /// The bundles, in the order in which they were named or found.
  public var bundles: [CheckedBundle]
  /// The bundles that only the base has.
  public var goneBundles: [GoneBundle]
  /// The bundles that the app merges into one model.
  public var unions: [CheckedUnion]
  /// What could not be read; a run with errors has not checked everything.
  public var errors: [any Error]

  /// What is to be known of the evidence, such as a history that the clone lacks.
  public var notes: [String]
  /// The files of mapping models, of which unions use those between merged models.
  var mappingReadings: [MappingReading] = []

  /// Makes a project.
  public init(
    models: [ModelFile] = [], bundles: [CheckedBundle] = [], goneBundles: [GoneBundle] = [],
    unions: [CheckedUnion] = [], errors: [any Error] = [], notes: [String] = []
  ) {
    self.models = models
    self.bundles = bundles
    self.goneBundles = goneBundles
    self.unions = unions
    self.errors = errors
    self.notes = notes
  }

  /// Every model, for what is reported of each file.
  public var files: [ModelFile] { models + bundles.flatMap { $0.files.map(\.file) } }
}
