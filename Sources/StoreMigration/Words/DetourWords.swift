import MappingModels

extension MigrationRoute.Detour: CustomStringConvertible {
  /// The reason as one sentence.
  public var description: String {
    passed.isEmpty
      ? "the versions between are passed over, because \(refusal)"
      : "only \(passed.joined(separator: ", ")) is passed, because \(refusal)"
  }
}

extension MigrationRoute.Refusal: CustomStringConvertible {
  /// The step and the cause in one clause.
  public var description: String {
    let words =
      switch cause {
      case .inference(let failure): failure.description
      case .composition(let refusal): refusal.description
      }
    return "\(source) → \(destination) cannot be inferred: \(words)"
  }
}
