import Foundation
import ModelDescription

extension MappingFindingSearch {
  mutating func checkProperties(of entity: EntityMapping, destination name: String, source sourceName: String?) {
    let attributes = destination.storedAttributes(of: name)
    let relationships = destination.storedRelationships(of: name)
    findDuplicates(of: entity)
    var filled: Set<String> = []
    for property in entity.attributeMappings {
      check(property, of: entity, filled: &filled)
      guard isKnown(property.name, of: entity, destination: name, asAttribute: true) else { continue }
      guard let sourceName, let attribute = attributes[property.name]?.leaf else { continue }
      checkAttribute(property, attribute, of: entity, source: sourceName)
    }
    for property in entity.relationshipMappings {
      check(property, of: entity, filled: &filled)
      guard isKnown(property.name, of: entity, destination: name, asAttribute: false) else { continue }
      guard let sourceName, let relationship = relationships[property.name] else { continue }
      checkRelationship(property, relationship, of: entity, destination: name, source: sourceName)
    }
    if let sourceName, source.entity(named: sourceName)?.isAbstract == false {
      findUnfilled(of: entity, destination: name, filled: filled)
    }
  }

  private mutating func findDuplicates(of entity: EntityMapping) {
    let names = entity.propertyMappings.map(\.name)
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    for name in counts.keys.sorted() where counts[name] != 1 {
      add(.error, entity, property: name, .duplicateProperty(name))
    }
  }

  /// Checks everything except the property itself, and collects the properties that are filled.
  private mutating func check(_ property: PropertyMapping, of entity: EntityMapping, filled: inout Set<String>) {
    guard property.value != .unset else { return }
    filled.insert(property.name)
    if case .expression(let expression) = property.value {
      checkFunctions(in: expression, of: property.name, entity)
      if let division = ZeroDivisors.first(in: expression) {
        let error = ExpressionTypeError(expression: division.shortText, reason: .divisionByZero)
        add(.error, entity, property: property.name, .expression(error))
      }
    }
  }

  /// True if the destination has the property and stores it; adds a finding if not.
  private mutating func isKnown(
    _ property: String, of entity: EntityMapping, destination name: String, asAttribute: Bool
  ) -> Bool {
    let attributes = destination.allAttributes(of: name)
    let relationships = destination.allRelationships(of: name)
    let first = property.split(separator: ".").first.map(String.init) ?? property
    let attribute = attributes[property]?.property ?? attributes[first]?.property
    let isPath = attribute.map { $0.name == property || destination.storedAttributes(of: name)[property] != nil }
    if asAttribute ? isPath == true : relationships[property] != nil {
      let isTransient = asAttribute ? attribute?.isTransient : relationships[property]?.property.isTransient
      if isTransient == true { add(.note, entity, property: property, .notStored(property, of: name)) }
      return isTransient != true
    }
    if asAttribute ? relationships[property] != nil : isPath == true {
      add(.error, entity, property: property, .wrongPropertyKind(property, of: name, isAttribute: !asAttribute))
    } else {
      let names = asAttribute ? Array(destination.storedAttributes(of: name).keys) : Array(relationships.keys)
      let near = NearNames.nearest(to: property, among: names.sorted())
      add(.error, entity, property: property, .unknownProperty(property, of: name, near: near))
    }
    return false
  }

  private mutating func checkAttribute(
    _ property: PropertyMapping, _ attribute: AttributeDescription, of entity: EntityMapping, source: String
  ) {
    guard case .expression(let expression) = property.value,
      replacement(of: entity)?.attributes[property.name] == nil
    else { return }
    let typing = ExpressionTyping(
      source: self.source, entity: source, role: .attribute, destination: destination, mapping: mapping)
    do {
      try typing.check(expression, assignedTo: attribute)
    } catch {
      // A policy may well replace a value that the generated expression cannot give.
      let isReplaced = if case .unassignable = error.reason { true } else { false }
      let severity: MappingFinding.Severity =
        mayBeOverruled(entity) ? .note : isImplemented(entity.policyClassName) ? .warning : .error
      add(isReplaced ? severity : .error, entity, property: property.name, .expression(error))
    }
  }

  private mutating func checkRelationship(
    _ property: PropertyMapping, _ relationship: RelationshipDescription, of entity: EntityMapping,
    destination name: String, source sourceName: String
  ) {
    guard case .expression(let expression) = property.value else { return }
    let typing = ExpressionTyping(
      source: source, entity: sourceName, role: .relationship, destination: destination, mapping: mapping)
    do {
      try typing.check(expression, assignedTo: relationship)
    } catch {
      if case .noLinks(.destinationObjects(let made?), _) = error.reason,
        let wanted = relationship.destinationEntityName
      {
        add(
          mayBeOverruled(entity) ? .note : .error, entity, property: property.name,
          .otherObjects(mapping: nil, makes: made, relationship: property.name, wants: wanted))
      } else {
        // A look-up by a mapping of other objects finds nothing, in Core Data too.
        let isEmpty = if case .otherMapping = error.reason { true } else { false }
        add(isEmpty ? .warning : .error, entity, property: property.name, .expression(error))
      }
      return
    }
    guard case .invocation(_, ExpressionTyping.lookupByRelationship, let arguments) = expression,
      case .constant(.string(let link))? = arguments.first,
      let objects = source.allRelationships(of: sourceName)[link]?.property.destinationEntityName
    else { return }
    checkObjects(objects, fill: relationship, of: entity)
  }

  /// Checks every mapping that a look-up by a source relationship uses.
  private mutating func checkObjects(
    _ objects: String, fill relationship: RelationshipDescription, of entity: EntityMapping
  ) {
    let family = Set(source.family(of: objects).map(\.name))
    let asked = mapping.entityMappings.filter { other in
      other.destination != nil && other.source.map(family.contains) == true
    }
    guard !asked.isEmpty else {
      add(.warning, entity, property: relationship.name, .unmappedObjects(objects, relationship: relationship.name))
      return
    }
    guard let wanted = relationship.destinationEntityName else { return }
    let unfit = asked.filter { !fits($0.destination, wanted) }
    for other in unfit {
      let severity: MappingFinding.Severity = unfit.count == asked.count ? .error : .warning
      add(
        mayBeOverruled(entity) ? .note : severity, entity, property: relationship.name,
        .otherObjects(
          mapping: other.name, makes: other.destination ?? "", relationship: relationship.name, wants: wanted))
    }
  }

  private func fits(_ made: String?, _ wanted: String) -> Bool {
    guard let made, destination.entity(named: made) != nil else { return true }
    return destination.isEntity(made, kindOf: wanted) || destination.isEntity(wanted, kindOf: made)
  }
}

/// Finds divisions by the constant 0, which fail at the first row with a value.
enum ZeroDivisors {
  /// Returns the first division by 0; parts below the depth limit of expressions are ignored.
  static func first(in expression: ValueExpression, depth: Int = 0) -> ValueExpression? {
    guard depth < ExpressionTyping.depthLimit else { return nil }
    if case .function("divide:by:", let arguments) = expression, isZero(arguments.last) { return expression }
    if case .function("modulus:by:", let arguments) = expression, isZero(arguments.last) { return expression }
    return expression.parts.lazy.compactMap { first(in: $0, depth: depth + 1) }.first
  }

  private static func isZero(_ expression: ValueExpression?) -> Bool {
    switch expression {
    case .constant(.integer(0)): true
    case .constant(.decimal(let value)): value == 0
    case .constant(.double(let value)): value == 0
    default: false
    }
  }
}
