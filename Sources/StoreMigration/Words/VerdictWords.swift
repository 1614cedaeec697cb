import MappingModels
package import ModelDescription

extension MigrationVerdict.Break {
  /// Why the step cannot be made, with the element, Core Data's words and what to do.
  public var reason: String { words.sentence }

  /// Why the step cannot be made, and what to do.
  package var words: ErrorWords { cause.words }
}

extension MigrationVerdict.Break.Cause {
  /// Why the step cannot be made, and what to do.
  package var words: ErrorWords {
    switch self {
    case .inference(let failure): failure.words
    case .mappingModel(let refusal): refusal.words
    }
  }
}
