public import MappingModels

/// A mapping model in which nothing is left to rules: what an Xcode mapping model compiles to, or what a `.cdm` holds.
public struct MappingCompilation: Hashable, Sendable {
  /// The mapping model.
  public var mapping: MappingModel
  /// What the rules had to guess or pass over, in the order of the mappings; of a `.cdm` what was read past.
  public var notes: [ModelNote]
}
