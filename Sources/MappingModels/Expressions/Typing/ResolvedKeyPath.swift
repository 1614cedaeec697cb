package import ModelDescription

package struct ResolvedKeyPath: Hashable, Sendable {
  /// The effect of one key, or of an operator with its keys.
  package indirect enum Step: Hashable, Sendable {
    /// Reads an attribute that an entity declares, or a leaf of a composite attribute, by its path.
    case attribute(path: String, AttributeDescription, entity: String)
    /// Follows a relationship that an entity declares.
    case relationship(RelationshipDescription, entity: String)
    /// Reads a member of a value of an attribute's type.
    case member(ValueMember, of: AttributeType)
    /// Computes one value of a collection, from its members or from a key path of each member.
    case aggregate(CollectionOperator, of: ResolvedKeyPath)
    /// Collects the values of a key path of each member.
    case union(CollectionOperator, of: ResolvedKeyPath)
  }

  package var steps: [Step] = []
  package var base: ExpressionType
  package var type: ExpressionType

  package static let itself = ResolvedKeyPath(base: .null, type: .null)
}

extension ResolvedKeyPath {
  /// Resolves keys.
  ///
  /// - Parameter keys: the keys; a key that begins with `@` is a collection operator.
  package init(
    _ keys: some Sequence<String>, from base: ExpressionType, in hierarchy: EntityHierarchy
  ) throws(ExpressionTypeError.Reason) {
    self.init(base: base, type: base)
    var rest = Array(keys)[...]
    while let key = rest.popFirst() {
      if key.hasPrefix("@") {
        try apply(key, &rest, in: hierarchy)
      } else {
        try follow(key, &rest, in: hierarchy)
      }
    }
  }

  private mutating func follow(
    _ key: String, _ rest: inout ArraySlice<String>, in hierarchy: EntityHierarchy
  ) throws(ExpressionTypeError.Reason) {
    switch type {
    case .object(let entity):
      let (step, found) = try Self.property(key, &rest, of: entity, in: hierarchy)
      steps.append(step)
      type = found
    case .objects(let entity, let isOrdered):
      let (step, found) = try Self.property(key, &rest, of: entity, in: hierarchy)
      steps.append(step)
      switch found {
      case .value(let value): type = .values(value)
      case .object(let entity): type = .objects(entity: entity, isOrdered: isOrdered)
      case .objects(let entity, _): type = .nested(entity: entity)
      default: throw .unknownKey(key, of: entity, near: [])
      }
    case .value(let value):
      let (member, found) = try Self.member(key, of: value)
      steps.append(.member(member, of: value))
      type = .value(found)
    case .values(let value):
      let (member, found) = try Self.member(key, of: value)
      steps.append(.member(member, of: value))
      type = .values(found)
    case .nested:
      guard case .relationship(let relationship, _) = steps.last else {
        throw .noCollection(operator: key, found: type)
      }
      throw .nestedCollection(relationship: relationship.name)
    default: throw .unknownKey(key, of: "\(type)", near: [])
    }
  }

  private static func member(
    _ key: String, of type: AttributeType
  ) throws(ExpressionTypeError.Reason) -> (ValueMember, AttributeType) {
    if let member = ValueMember(rawValue: key), let found = member.type(of: type) { return (member, found) }
    let known = ValueMember.allCases.filter { $0 != .itself && $0.type(of: type) != nil }.map(\.rawValue)
    throw .unknownKey(key, of: "a value of type \(type.name)", near: known)
  }

  private static func property(
    _ key: String, _ rest: inout ArraySlice<String>, of entity: String, in hierarchy: EntityHierarchy
  ) throws(ExpressionTypeError.Reason) -> (Step, ExpressionType) {
    if let declared = hierarchy.allAttributes(of: entity)[key] {
      var attribute = declared.property
      var path = [key]
      while attribute.type == .composite {
        guard let next = rest.first, let element = attribute.elements.first(where: { $0.name == next }) else {
          throw .composite(path.joined(separator: "."), elements: attribute.elements.map(\.name))
        }
        rest.removeFirst()
        path.append(next)
        attribute = element
      }
      guard !declared.property.isTransient, !attribute.isTransient else { throw .transient(key, of: entity) }
      let step = Step.attribute(path: path.joined(separator: "."), attribute, entity: declared.entity.name)
      return (step, .value(attribute.type))
    }
    guard let declared = hierarchy.allRelationships(of: entity)[key],
      let target = declared.property.destinationEntityName
    else {
      let known = Array(hierarchy.allAttributes(of: entity).keys) + hierarchy.allRelationships(of: entity).keys
      throw .unknownKey(key, of: entity, near: NearNames.nearest(to: key, among: known.sorted()))
    }
    let relationship = declared.property
    guard !relationship.isTransient else { throw .transient(key, of: entity) }
    return (
      .relationship(relationship, entity: declared.entity.name),
      relationship.isToMany ? .objects(entity: target, isOrdered: relationship.isOrdered) : .object(entity: target)
    )
  }

  /// The type of a member of the collection; nil if this is not a collection of members.
  private var member: ExpressionType? {
    switch type {
    case .objects(let entity, _): .object(entity: entity)
    case .values(let type): .value(type)
    default: nil
    }
  }

  private mutating func apply(
    _ key: String, _ rest: inout ArraySlice<String>, in hierarchy: EntityHierarchy
  ) throws(ExpressionTypeError.Reason) {
    guard let collecting = CollectionOperator(rawValue: key) else {
      throw .unknownOperator(key, near: NearNames.nearest(to: key, among: CollectionOperator.allCases.map(\.rawValue)))
    }
    guard let member else {
      if case .nested = type, case .relationship(let relationship, _) = steps.last {
        throw .nestedCollection(relationship: relationship.name)
      }
      throw .noCollection(operator: key, found: type)
    }
    if collecting == .count {
      guard rest.isEmpty else { throw .misplacedOperator(key) }
      steps.append(.aggregate(.count, of: ResolvedKeyPath(base: member, type: member)))
      type = .value(.integer64)
      return
    }
    let own = collecting.isAggregate ? rest : rest.prefix { !$0.hasPrefix("@") }
    rest = rest.dropFirst(own.count)
    guard !own.isEmpty else { throw .misplacedOperator(key) }
    let each =
      own == ["self"] ? ResolvedKeyPath(base: member, type: member) : try Self(own, from: member, in: hierarchy)
    if collecting.isAggregate {
      type = .value(try Self.aggregate(collecting, of: each.type))
      steps.append(.aggregate(collecting, of: each))
    } else {
      type = try Self.union(collecting, of: each.type)
      steps.append(.union(collecting, of: each))
    }
  }

  private static func union(
    _ collecting: CollectionOperator, of each: ExpressionType
  ) throws(ExpressionTypeError.Reason) -> ExpressionType {
    switch each {
    case .value(let type) where !collecting.flattens: .values(type)
    case .object(let entity) where !collecting.flattens: .objects(entity: entity, isOrdered: false)
    case .objects(let entity, _) where collecting.flattens: .objects(entity: entity, isOrdered: false)
    case .values(let type) where collecting.flattens: .values(type)
    case .objects(let entity, _): .nested(entity: entity)
    default: throw .noCollection(operator: collecting.rawValue, found: each)
    }
  }

  /// Returns the type of an aggregate of members of a type.
  package static func aggregate(
    _ collecting: CollectionOperator, of each: ExpressionType
  ) throws(ExpressionTypeError.Reason) -> AttributeType {
    guard !each.isCollection else { throw .severalValues(each) }
    switch (collecting, each) {
    case (.count, _): return .integer64
    case (.sum, .value(.double)), (.sum, .value(.float)), (.average, .value(.double)), (.average, .value(.float)):
      return .double
    case (.sum, _) where each.isNumber, (.average, _) where each.isNumber: return .decimal
    case (_, .value(let type)) where type.isNumeric || [.boolean, .string, .date].contains(type):
      if collecting == .minimum || collecting == .maximum { return type }
    case (.minimum, .unknown), (.maximum, .unknown), (.minimum, .null), (.maximum, .null): return .undefined
    default: break
    }
    throw .argument(collecting.rawValue, expected: "numbers, or for a minimum texts or dates", found: each)
  }
}

package enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfSets = "@distinctUnionOfSets"
  case unionOfSets = "@unionOfSets"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"

  package var isAggregate: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum: true
    default: false
    }
  }

  /// True for a union that contains each member once.
  package var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfSets, .distinctUnionOfArrays: true
    default: false
    }
  }

  package var flattens: Bool {
    switch self {
    case .distinctUnionOfSets, .unionOfSets, .distinctUnionOfArrays, .unionOfArrays: true
    default: false
    }
  }
}

/// A key that a value itself has, as key-value coding finds it on Foundation's classes.
package enum ValueMember: String, Hashable, Sendable, CaseIterable {
  case length
  case uppercaseString
  case lowercaseString
  case absoluteString
  case uuidString = "UUIDString"
  case timeIntervalSinceReferenceDate
  case timeIntervalSince1970
  case itself = "self"

  /// Returns the type of the key for a value of a type; nil if the type lacks this key.
  func type(of type: AttributeType) -> AttributeType? {
    switch (self, type) {
    case (.length, .string), (.length, .binary): .integer64
    case (.uppercaseString, .string), (.lowercaseString, .string), (.absoluteString, .uri), (.uuidString, .uuid):
      .string
    case (.timeIntervalSinceReferenceDate, .date), (.timeIntervalSince1970, .date): .double
    case (.itself, _): type
    default: nil
    }
  }
}
