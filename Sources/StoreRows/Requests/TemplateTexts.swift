import Foundation
import MappingModels
public import ModelDescription

extension RecordRequest {
  /// Asks for what a fetch request template describes, with values as people type them.
  ///
  /// A text becomes a value of the type that its variable is compared with: `customer` takes the key of an object, and what
  /// stands behind `IN` takes several values with commas between them.
  ///
  /// - Parameters:
  ///   - name: the template's name.
  ///   - hierarchy: the model.
  ///   - texts: what stands for each `$NAME` in its predicate.
  /// - Throws: ``RecordRequestError``, ``RecordAssignmentError`` for a text that is no value of its type.
  public init(template name: String, of hierarchy: EntityHierarchy, texts: [String: String]) throws {
    var search = VariableSearch(hierarchy)
    if let template = hierarchy.model.fetchRequests.first(where: { $0.name == name }),
      let predicate = try Self.condition(template, name)
    {
      search.look(at: predicate, ExpressionTyping(source: hierarchy, entity: template.entityName, role: .filter))
    }
    var values: [String: any PredicateArgument] = [:]
    for (variable, text) in texts.sorted(by: { $0.key < $1.key }) {
      values[variable] = try search.uses[variable].map { try $0.value(text, for: variable) } ?? text
    }
    try self.init(template: name, of: hierarchy, variables: values)
  }
}

/// Finds out what the variables of a predicate are compared with.
private struct VariableSearch {
  /// How a variable is used.
  struct Use {
    let type: ExpressionType
    /// True behind `IN`.
    let isList: Bool

    func value(_ text: String, for variable: String) throws(RecordAssignmentError) -> any PredicateArgument {
      guard isList else { return try member(text, variable) }
      var members: [ExpressionArgument] = []
      for part in text.split(separator: ",") {
        members.append(ExpressionArgument(try member(part.trimmingCharacters(in: .whitespaces), variable)))
      }
      return members
    }

    private func member(_ text: String, _ variable: String) throws(RecordAssignmentError) -> any PredicateArgument {
      switch type {
      case .object(let entity), .objects(let entity, _), .nested(let entity):
        guard let key = Int64(text), key > 0 else { throw .key(property: "$\(variable)", text: text) }
        return RecordID(entity: entity, key: key)
      case .value(let type), .values(let type): return try parsed(text, as: type, variable)
      case .truth: return try parsed(text, as: .boolean, variable)
      default: return text
      }
    }

    private func parsed(
      _ text: String, as type: AttributeType, _ variable: String
    ) throws(RecordAssignmentError) -> AttributeValue {
      do throws(AttributeValueParseError) {
        return try AttributeValue.parse(text, as: type)
      } catch {
        throw .value(property: "$\(variable)", error)
      }
    }
  }

  private let hierarchy: EntityHierarchy
  private(set) var uses: [String: Use] = [:]

  init(_ hierarchy: EntityHierarchy) { self.hierarchy = hierarchy }

  mutating func look(at expression: ValueExpression, _ typing: ExpressionTyping) {
    switch expression {
    case .comparison(let comparison):
      note(comparison.right, beside: comparison.left, isList: comparison.operator == .isIn, typing)
      let isSought = comparison.operator == .contains && (try? typing.type(of: comparison.right))?.isText == false
      note(comparison.left, beside: comparison.right, isList: isSought, typing)
      if case .collection(let bounds) = comparison.right {
        for bound in bounds { note(bound, beside: comparison.left, isList: false, typing) }
      }
    case .subquery(let collection, let variable, let condition):
      look(at: collection, typing)
      guard case .objects(let entity, _)? = try? typing.type(of: collection) else { return }
      var inner = typing
      inner.variables[variable] = entity
      return look(at: condition, inner)
    default: break
    }
    for part in expression.parts { look(at: part, typing) }
  }

  private mutating func note(
    _ part: ValueExpression, beside other: ValueExpression, isList: Bool, _ typing: ExpressionTyping
  ) {
    guard case .variable(let name) = part, typing.variables[name] == nil, let type = try? typing.type(of: other) else {
      return
    }
    uses[name] = Use(type: type, isList: isList)
  }
}

/// One of several values of a list.
private struct ExpressionArgument: PredicateArgument {
  let predicateExpression: ValueExpression?

  init(_ argument: any PredicateArgument) { predicateExpression = argument.predicateExpression }
}
