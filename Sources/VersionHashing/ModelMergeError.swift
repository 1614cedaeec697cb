public import ModelDescription

/// The reason why two models cannot be merged.
public struct ModelMergeError: Error, Hashable, Sendable {
  /// A contradiction of two models.
  public enum Cause: Hashable, Sendable {
    /// Both have an entity of this name, with different hashes.
    case differentEntities(String)
    /// Both have a composite type of this name, with different elements.
    case differentComposites(String)
    /// A relationship of the first has its destination in the second.
    case foreignDestination(entity: String, relationship: String, destination: String)
  }

  /// The contradiction.
  public let cause: Cause
  /// The position of the first model among the merged models.
  public let first: Int
  /// The position of the second model.
  public let second: Int

  /// Makes an error.
  public init(_ cause: Cause, first: Int, second: Int) {
    (self.cause, self.first, self.second) = (cause, first, second)
  }

  /// The elements of the contradiction, one in each model.
  public var elements: (first: ModelElement, second: ModelElement) {
    switch cause {
    case .differentEntities(let name): (.entity(name), .entity(name))
    case .differentComposites(let name): (.composite(name), .composite(name))
    case .foreignDestination(let entity, let relationship, let destination):
      (.property(entity: entity, name: relationship), .entity(destination))
    }
  }

  /// The cause and the remedy in a sentence.
  ///
  /// - Parameters:
  ///   - first: the name of the first model.
  ///   - second: the name of the second model.
  /// - Returns: the sentence, without a full stop.
  public func description(of first: String, and second: String) -> String {
    switch cause {
    case .differentEntities(let name):
      """
      \(first) and \(second) both have an entity \(name), with different hashes, but Core Data merges only \
      equal entities; rename an entity, or make both equal
      """
    case .differentComposites(let name):
      """
      \(first) and \(second) both have a composite type \(name), with different elements; rename a type, or make both \
      equal
      """
    case .foreignDestination(let entity, let relationship, let destination):
      "\(first): \(Self.words(of: "\(entity).\(relationship)", to: destination, in: second))"
    }
  }

  /// The cause and the remedy without the first model; nil if the contradiction concerns both models.
  ///
  /// - Parameter second: the name of the second model.
  /// - Returns: the sentence, without a full stop.
  package func words(inFirstBeside second: String) -> String? {
    guard case .foreignDestination(let entity, let relationship, let destination) = cause else { return nil }
    return Self.words(of: "\(entity).\(relationship)", to: destination, in: second)
  }

  private static func words(of relationship: String, to destination: String, in model: String) -> String {
    """
    \(relationship) points to \(destination), which is only in \(model), but a relationship cannot leave its bundle; move \
    either entity
    """
  }
}
