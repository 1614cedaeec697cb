import MappingModels
import ModelDescription

extension Rule {
  static let unknownFetchProperty = Rule(
    id: "unknown-fetch-property",
    severity: .error,
    purpose: "A fetch request must name an entity and properties of the model.",
    explanation: """
      Core Data checks the predicate of a fetch request template or a fetched property only when your app runs it. If \
      the predicate names an unknown property, or a to-many relationship instead of a single value, your app throws an \
      exception. Correct the name, or remove the fetch request. Your app runs the fetch requests of its current \
      version, so modelctl does not check older versions.
      """
  ) { index in
    let hierarchy = try? EntityHierarchy(index.model)
    return index.model.fetchRequests.flatMap { findings(in: $0, of: .fetchRequest($0.name), nil, index, hierarchy) }
      + index.model.entities.flatMap { entity in
        entity.fetchedProperties.flatMap { property in
          property.fetchRequest.map {
            let element = ModelElement.property(entity: entity.name, name: property.name)
            return findings(in: $0, of: element, entity.name, index, hierarchy)
          } ?? []
        }
      }
  }

  private static func findings(
    in request: FetchRequestDescription, of element: ModelElement, _ holder: String?, _ index: ModelIndex,
    _ hierarchy: EntityHierarchy?
  ) -> [RuleFinding] {
    guard index.entity(named: request.entityName) != nil else {
      let name = request.entityName
      let fix = ModelIndex.correction(of: name, among: index.entityNames, else: "remove the fetch request")
      return [RuleFinding(element, "\(element) fetches the entity “\(name)”, which is not in the model", fix: fix)]
    }
    guard let hierarchy, let text = request.predicate, let predicate = try? ValueExpression(parsing: text) else {
      return []
    }
    var typing = ExpressionTyping(source: hierarchy, entity: request.entityName, role: .filter)
    typing.variables["FETCH_SOURCE"] = holder
    let errors = typing.unknownKeys(in: predicate)
    var seen: Set<ExpressionTypeError> = []
    return (errors.isEmpty ? [typing.collectionError(in: text, predicate)].compactMap(\.self) : errors)
      .filter { seen.insert($0).inserted }.map { finding($0, of: element, in: hierarchy) }
  }

  private static func finding(
    _ error: ExpressionTypeError, of element: ModelElement, in hierarchy: EntityHierarchy
  ) -> RuleFinding {
    let removal: Advice = "correct the predicate, or remove the fetch request"
    guard case .unknownKey(let key, let holder, _) = error.reason else {
      return RuleFinding(element, "the predicate of \(element) cannot run: \(error)", fix: removal)
    }
    let known = Set(hierarchy.allAttributes(of: holder).keys).union(hierarchy.allRelationships(of: holder).keys)
    return RuleFinding(
      element, "the predicate of \(element) names “\(key)”, which \(holder) does not have",
      fix: ModelIndex.correction(of: key, among: known.sorted(), else: removal))
  }
}

extension ExpressionTyping {
  /// The unknown keys and collection operators in an expression, for any values of its variables.
  fileprivate func unknownKeys(in expression: ValueExpression) -> [ExpressionTypeError] {
    switch expression {
    case .keyPath(let keys, let base):
      let isKnown =
        switch base {
        case .selfObject: !["self", "entity", "objectID"].contains(keys.first)
        case .variable(let name): variables[name] != nil
        default: false
        }
      guard isKnown else { return unknownKeys(in: base) }
      do throws(ExpressionTypeError) {
        _ = try type(of: expression)
        return []
      } catch {
        switch error.reason {
        case .unknownKey, .noCollection, .unknownOperator, .misplacedOperator, .nestedCollection: return [error]
        default: return []
        }
      }
    case .subquery(let collection, let variable, let condition):
      guard case .objects(let entity, _)? = try? type(of: collection) else { return unknownKeys(in: collection) }
      var inner = self
      inner.variables[variable] = entity
      return inner.unknownKeys(in: condition)
    default: return expression.parts.flatMap { unknownKeys(in: $0) }
    }
  }

  /// The error about a collection of values where a single value is needed.
  fileprivate func collectionError(in text: String, _ predicate: ValueExpression) -> ExpressionTypeError? {
    let free = predicate.freeVariables.subtracting(variables.keys)
    let condition = ConditionText(text, variables: Dictionary(uniqueKeysWithValues: free.map { ($0, .null) }))
    guard let expression = try? condition.expression() else { return nil }
    do throws(ExpressionTypeError) {
      try checkCondition(expression)
      return nil
    } catch {
      switch error.reason {
      case .severalValues: return error
      case .argument(_, _, let found) where found.isCollection: return error
      default: return nil
      }
    }
  }
}
