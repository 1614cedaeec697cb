import GRDB
import MappingModels
import MigrationSQL
import ModelDescription

/// The purpose of an evaluation.
struct EvaluationScope {
  /// The object of `SELF`.
  let object: EvaluatedObject
  /// The objects that the variables of surrounding `SUBQUERY`s stand for.
  var variables: [String: EvaluatedObject] = [:]
  /// The member of a collection that is looked at.
  var member = DatabaseValue.null
}

/// A part of an expression as a function of an object, with what is known of it: the counterpart of ``ExpressionPiece``.
struct EvaluatedPiece {
  typealias Value = (EvaluationScope) throws -> DatabaseValue

  /// The type of the result.
  var type: ExpressionType
  /// True for integer arithmetic that becomes floating point if it overflows.
  var canOverflow = false
  /// True for binary data with the mark of external storage.
  var isMarked = false
  /// The part as people write it, for binary data with the mark.
  var text = ""
  /// The value as a store keeps it, an object as its key.
  let value: Value

  init(_ type: ExpressionType, canOverflow: Bool = false, isMarked: Bool = false, _ value: @escaping Value) {
    (self.type, self.canOverflow, self.isMarked, self.value) = (type, canOverflow, isMarked, value)
  }

  static var null: EvaluatedPiece { EvaluatedPiece(.null) { _ in .null } }

  /// A value written down.
  static func constant(_ constant: AttributeValue) -> EvaluatedPiece {
    let stored: SQLValue = if case .decimal(let number) = constant { .decimal(number) } else { SQLValue(constant) }
    let value = stored.databaseValue.settled
    return EvaluatedPiece(.value(constant.attributeType)) { _ in value }
  }

  /// The member of a collection that is looked at.
  static func member(_ type: ExpressionType) -> EvaluatedPiece { EvaluatedPiece(type) { $0.member } }
}

/// A condition as a function of an object: nil is not known.
typealias EvaluatedCondition = (EvaluationScope) throws -> Bool?

/// The members of a collection as a function of an object: the counterpart of ``ExpressionMembers``.
struct EvaluatedMembers {
  /// The members as a store keeps them, objects as their keys; nil where the object that has them is missing.
  var items: (EvaluationScope) throws -> [DatabaseValue]?
  /// The type of a member.
  var type: ExpressionType
  /// True when a member can be found several times and counts once.
  var repeats = false
  /// True once a to-many relationship was followed.
  var isCollection = false
  /// True where a member without a value counts too, as it does for a quantifier.
  var keepsMissing = false

  var isOfObjects: Bool { if case .object = type { true } else { false } }

  /// The members that count.
  func found(_ scope: EvaluationScope) throws -> [DatabaseValue]? {
    try items(scope)?.filter { keepsMissing || !$0.isNull }
  }

  /// Leaves each member once.
  mutating func settle() {
    guard repeats else { return }
    let all = self
    items = { scope in
      var seen: Set<StoredIdentity> = []
      return try all.found(scope)?.filter { seen.insert($0.identity).inserted }
    }
    repeats = false
    isCollection = true
  }
}
