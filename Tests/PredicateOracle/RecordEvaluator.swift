import MappingModels
import MigrationSQL
import ModelDescription
public import StoreRows

/// Says of objects in memory whether the predicate of a request holds, with the meaning that it has in a store.
///
/// A comparison with a missing value is not known, and what is not known of an object leaves it out, as in a fetch.
public struct RecordEvaluator {
  private let request: RecordRequest
  private let objects: RecordObjects
  private let predicate: (EvaluatedObject) throws -> Bool?

  /// Finds out what a request's predicate means for objects.
  ///
  /// - Parameters:
  ///   - request: the entity and the predicate; its order, limit and properties are not looked at.
  ///   - objects: the objects that it is asked of, and those that they lead to.
  ///   - now: what `now()` gives, in seconds since 2001.
  /// - Throws: ``RecordRequestError``.
  public init(_ request: RecordRequest, over objects: RecordObjects, now: Double) throws(RecordRequestError) {
    (self.request, self.objects) = (request, objects)
    guard objects.hierarchy.entity(named: request.entity) != nil else {
      let names = objects.hierarchy.model.entities.map(\.name)
      throw .unknownEntity(request.entity, near: NearNames.nearest(to: request.entity, among: names))
    }
    guard let expression = request.predicate else {
      predicate = { _ in true }
      return
    }
    let evaluation = ExpressionEvaluation(of: objects.hierarchy, entity: request.entity, over: objects, now: now)
    predicate = try request.asking(expression.shortText, isPredicate: true, in: objects.hierarchy) {
      try evaluation.predicate(expression)
    }
  }

  /// Whether the predicate holds for an object.
  ///
  /// - Returns: nil where it is not known, because a value is missing.
  /// - Throws: ``RecordEvaluationError``, and what would stop a fetch, such as a division by zero.
  public func holds(for id: RecordID) throws -> Bool? { try predicate(objects.object(id)) }

  /// Whether a fetch would give an object: it is of the entity, and the predicate holds for it.
  ///
  /// - Throws: as ``holds(for:)``.
  public func matches(_ id: RecordID) throws -> Bool {
    let isAsked =
      request.includesSubentities
      ? objects.hierarchy.isEntity(id.entity, kindOf: request.entity) : id.entity == request.entity
    return try isAsked && objects.contains(objects.object(id)) && holds(for: id) == true
  }
}
