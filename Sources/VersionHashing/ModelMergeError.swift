public import ModelDescription

/// Why two models cannot be merged into one.
public struct ModelMergeError: Error, Hashable, Sendable {
  /// What the two disagree about.
  public enum Cause: Hashable, Sendable {
    /// Both have an entity of this name, with different hashes.
    case differentEntities(String)
    /// Both have a composite type of this name, with different elements.
    case differentComposites(String)
    /// A relationship of the first has its destination in the second.
    case foreignDestination(entity: String, relationship: String, destination: String)
  }

  /// What the two disagree about.
  public let cause: Cause
  /// The position of the one model among those that were merged.
  public let first: Int
  /// The position of the other.
  public let second: Int

  /// Makes an error.
  public init(_ cause: Cause, first: Int, second: Int) {
    (self.cause, self.first, self.second) = (cause, first, second)
  }

  /// The elements to point at, one in each model.
  public var elements: (first: ModelElement, second: ModelElement) {
    switch cause {
    case .differentEntities(let name): (.entity(name), .entity(name))
    case .differentComposites(let name): (.composite(name), .composite(name))
    case .foreignDestination(let entity, let relationship, let destination):
      (.property(entity: entity, name: relationship), .entity(destination))
    }
  }

  /// The cause in a sentence, with what to do.
  ///
  /// - Parameters:
  ///   - first: how the one model is called.
  ///   - second: how the other is called.
  /// - Returns: the sentence, without a full stop.
  public func description(of first: String, and second: String) -> String {
    switch cause {
    case .differentEntities(let name):
      """
      \(first) and \(second) both have an entity \(name), with different hashes; Core Data merges an entity of two \
      models only if it is equal in both: rename one, or make both alike
      """
    case .differentComposites(let name):
      """
      \(first) and \(second) both have a composite type \(name), with different elements; rename one, or make both \
      alike
      """
    case .foreignDestination(let entity, let relationship, let destination):
      "\(first): \(Self.words(of: "\(entity).\(relationship)", to: destination, in: second))"
    }
  }

  /// The cause behind the place of the first model, with what to do; nil where both models are to blame.
  ///
  /// - Parameter second: how the other model is called.
  /// - Returns: the sentence, without a full stop.
  package func words(inFirstBeside second: String) -> String? {
    guard case .foreignDestination(let entity, let relationship, let destination) = cause else { return nil }
    return Self.words(of: "\(entity).\(relationship)", to: destination, in: second)
  }

  private static func words(of relationship: String, to destination: String, in model: String) -> String {
    """
    \(relationship) leads to \(destination), which is in \(model) only; a relationship cannot leave its bundle: move one \
    of the two entities
    """
  }
}
