import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription

extension ExpressionEvaluation {
  typealias Steps = ArraySlice<ResolvedKeyPath.Step>
  /// An object as a function of another; nil where it is missing.
  typealias Subject = (EvaluationScope) throws -> EvaluatedObject?

  /// The object of `SELF` or of a variable.
  func subject(_ expression: ValueExpression) -> (EvaluationScope) -> EvaluatedObject? {
    if case .variable(let name) = expression, typing.variables[name] != nil { return { $0.variables[name] } }
    return { $0.object }
  }

  /// The object of a key, if it is there.
  private func present(_ piece: EvaluatedPiece, of entity: String) -> Subject {
    let root = hierarchy.rootName(of: entity)
    return { scope in
      guard let key = Int64.fromDatabaseValue(try piece.value(scope)) else { return nil }
      let object = EvaluatedObject(root: root, key: key)
      return objects.contains(object) ? object : nil
    }
  }

  /// A key path that gives one value.
  func keyPath(
    _ keys: [String], of base: ValueExpression, _ expression: ValueExpression
  ) throws -> EvaluatedPiece {
    let path = try typing.resolve(keys, of: base, in: expression)
    if path.base.isCollection { return try aggregated(members(of: base), path.steps[...], expression) }
    switch base {
    case .selfObject, .variable:
      guard case .object(let entity) = path.base else { return .null }
      return try value(path.steps[...], of: subject(base), entity, expression)
    default: return try value(path.steps[...], of: piece(base), expression)
    }
  }

  /// The value of keys for an object.
  func value(
    _ steps: Steps, of object: @escaping Subject, _ entity: String, _ expression: ValueExpression
  ) throws -> EvaluatedPiece {
    let rest = steps.dropFirst()
    switch steps.first {
    case .attribute(let path, let attribute, _):
      var column = EvaluatedPiece(.value(attribute.type), isMarked: attribute.allowsExternalBinaryDataStorage) {
        scope in
        try object(scope).map { try objects.value(ofAttribute: path, of: $0) } ?? .null
      }
      if column.isMarked { column.text = expression.shortText }
      return try value(rest, of: column, expression)
    case .relationship(let relationship, _) where !relationship.isToMany:
      let target = ExpressionType.object(entity: relationship.destinationEntityName ?? entity)
      let key = EvaluatedPiece(target) { scope in
        try object(scope).flatMap { try objects.keys(along: relationship, of: $0).first }?.databaseValue ?? .null
      }
      return try value(rest, of: key, expression)
    case .relationship, .union, .aggregate:
      var members = start(at: object, entity)
      let taken = steps.prefix { if case .aggregate = $0 { false } else { true } }
      try follow(taken, in: &members, expression)
      return try aggregated(members, steps.dropFirst(taken.count), expression)
    case .member, nil:
      return EvaluatedPiece(.object(entity: entity)) { try object($0)?.key.databaseValue ?? .null }
    }
  }

  /// The value of keys for a value or an object.
  func value(_ steps: Steps, of piece: EvaluatedPiece, _ expression: ValueExpression) throws -> EvaluatedPiece {
    guard let first = steps.first else { return piece }
    if case .member(let member, let type) = first {
      return try value(steps.dropFirst(), of: self.member(member, type, of: piece), expression)
    }
    guard case .object(let entity) = piece.type else { return piece }
    return try value(steps, of: present(piece, of: entity), entity, expression)
  }

  /// A member of a value, such as its length.
  private func member(_ member: ValueMember, _ type: AttributeType, of piece: EvaluatedPiece) -> EvaluatedPiece {
    let value = unmarked(piece).value
    switch member {
    case .itself: return piece
    case .length where type == .string: return calling("modelctl_length", value, .integer64)
    case .length:
      return EvaluatedPiece(.value(.integer64)) { Data.fromDatabaseValue(try value($0))?.count.databaseValue ?? .null }
    case .uppercaseString: return folding("modelctl_uppercase", value)
    case .lowercaseString: return folding("modelctl_lowercase", value)
    case .absoluteString: return EvaluatedPiece(.value(.string), value)
    case .uuidString:
      return EvaluatedPiece(.value(.string)) { scope in
        try ExpressionFunctions.call(
          "modelctl_cast",
          [value(scope), "NSString".databaseValue, "UUID".databaseValue, .null, "".databaseValue, "".databaseValue])
      }
    case .timeIntervalSinceReferenceDate: return seconds(value, since: 0)
    case .timeIntervalSince1970: return seconds(value, since: 978_307_200)
    }
  }

  private func seconds(_ value: @escaping EvaluatedPiece.Value, since start: Double) -> EvaluatedPiece {
    EvaluatedPiece(.value(.double)) { scope in
      try (value(scope).operand.map { $0.double + start })?.databaseValue ?? .null
    }
  }

  func calling(_ name: String, _ value: @escaping EvaluatedPiece.Value, _ type: AttributeType) -> EvaluatedPiece {
    EvaluatedPiece(.value(type)) { try ExpressionFunctions.call(name, [value($0)]) }
  }

  /// A function that makes a text of a text.
  func folding(_ name: String, _ value: @escaping EvaluatedPiece.Value) -> EvaluatedPiece {
    let function = TextFunction.all.first { $0.name == name }
    return EvaluatedPiece(.value(.string)) { scope in
      String.fromDatabaseValue(try value(scope)).map { function?.call($0) ?? $0 }?.databaseValue ?? .null
    }
  }
}
