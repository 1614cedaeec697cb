import MappingModels
import MigrationSQL
import ModelDescription
public import StoreRows

/// Evaluates the predicate of a request for objects in memory, with the same result as in a store.
///
/// A comparison with a missing value is unknown, and an object for which the predicate is unknown is left out, as in a
/// fetch.
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

  /// Evaluates the predicate for an object.
  ///
  /// - Returns: true or false; nil if the result is unknown because a value is missing.
  /// - Throws: ``RecordEvaluationError``, and any error that would stop a fetch, such as a division by zero.
  public func holds(for id: RecordID) throws -> Bool? { try predicate(objects.object(id)) }

  /// True if a fetch would give an object: it is of the entity, and fulfils the predicate.
  ///
  /// - Throws: as ``holds(for:)``.
  public func matches(_ id: RecordID) throws -> Bool {
    let isAsked =
      request.includesSubentities
      ? objects.hierarchy.isEntity(id.entity, kindOf: request.entity) : id.entity == request.entity
    return try isAsked && objects.contains(objects.object(id)) && holds(for: id) == true
  }
}
