public import MappingModels

/// What compiling an Xcode mapping model gave.
public struct MappingCompilation: Hashable, Sendable {
  /// The mapping model with everything decided that its file leaves to rules.
  public var mapping: CustomMappingModel
  /// What the rules had to guess or pass over, in the order of the mappings.
  public var notes: [ModelNote]
}
