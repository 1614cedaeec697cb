import MappingModels

/// The source objects that a look-up asks for, and the mappings that may have carried them.
struct LinkReading {
  /// The position of the mapping whose expression it is.
  let mapping: Int
  /// The positions of the mappings whose objects are looked up.
  let found: Set<Int>
  /// What leads to the source objects.
  let objects: ValueExpression
  /// The branches in which it leads to them, none where it always does.
  let branches: [Branch]

  /// One way through a `TERNARY`.
  struct Branch: Hashable {
    let condition: ValueExpression
    /// True for the way that is taken where the condition holds.
    let holds: Bool

    /// An expression that is nothing on the other way.
    func narrowing(_ expression: ValueExpression) -> ValueExpression {
      .conditional(condition, then: holds ? expression : .null, else: holds ? .null : expression)
    }
  }

  /// The source relationship that leads to the objects, nil when they are not those of one relationship.
  var relationship: String? {
    switch objects {
    case .keyPath(let path, of: .variable("source")), .keyPath(let path, of: .selfObject):
      path.count == 1 ? path.first : nil
    default: nil
    }
  }
}
