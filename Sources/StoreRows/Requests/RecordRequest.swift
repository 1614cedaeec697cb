public import MappingModels

/// Which objects of a store are asked for, in which order, and what of them.
public struct RecordRequest: Hashable, Sendable {
  /// The entity.
  public var entity: String
  /// True when objects of the entities below it count too.
  public var includesSubentities = true
  /// What must be known to hold of an object; nil for all objects.
  public var predicate: ValueExpression?
  /// What the objects are sorted by, the key coming last.
  public var sort: [RecordSort] = []
  /// How many objects are given at most; nil for all.
  public var limit: Int?
  /// How many objects are left out at the beginning.
  public var offset = 0
  /// The attributes and to-one relationships that are read; nil for all that a store keeps.
  public var properties: [String]?

  /// Asks for all objects of an entity.
  public init(_ entity: String) { self.entity = entity }

  /// Asks for the objects of an entity for which a predicate holds.
  ///
  /// - Parameters:
  ///   - entity: the entity.
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  /// - Throws: ``RecordRequestError/syntax(_:text:)``.
  public init(_ entity: String, where text: String?) throws(RecordRequestError) {
    self.entity = entity
    guard let text else { return }
    do throws(ExpressionSyntaxError) {
      predicate = try ValueExpression(parsing: text)
    } catch {
      throw .syntax(error, text: text)
    }
  }
}
