import MappingModels

extension CustomEntityMapping {
  /// The first keys, and whole key paths, that the mapping's filter, expressions and SQL read of the source object.
  ///
  /// - Parameters:
  ///   - unread: destination relationships whose expressions find nothing.
  /// - Returns: the keys.
  func keysRead(except unread: Set<String>) -> Set<String> {
    var keys: Set<String> = []
    if let filter { filter.collectKeys(into: &keys) }
    for mapping in attributeMappings + relationshipMappings.filter({ !unread.contains($0.name) }) {
      switch mapping.value {
      case .unset: continue
      case .expression(let expression): expression.collectKeys(into: &keys)
      case .sql(let text): keys.formUnion(Self.keys(inSQL: text))
      }
    }
    return keys
  }

  /// The key paths after every `$source.` of SQL.
  static func keys(inSQL text: String) -> Set<String> {
    var keys: Set<String> = []
    for part in text.components(after: "$source.") {
      let path = part.prefix { $0.isLetter || $0.isNumber || "_.@".contains($0) }
      guard let first = path.split(separator: ".").first else { continue }
      keys.insert(String(first))
    }
    return keys
  }
}

extension String {
  fileprivate func components(after mark: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      parts.append(rest)
    }
    return parts
  }
}

extension ValueExpression {
  /// Adds what the expression reads of the source object; a whole object handed to a function reads nothing by name.
  fileprivate func collectKeys(into keys: inout Set<String>) {
    if case .keyPath(let path, of: let object) = self, object == .selfObject || object == .variable("source") {
      if let first = path.first { keys.insert(first) }
      keys.insert(path.joined(separator: "."))
    }
    for part in parts { part.collectKeys(into: &keys) }
  }

  /// The functions of a policy that the expression calls.
  var policySelectors: Set<String> {
    var selectors = parts.reduce(into: Set<String>()) { $0.formUnion($1.policySelectors) }
    if case .invocation(of: .variable("entityPolicy"), let selector, _) = self { selectors.insert(selector) }
    return selectors
  }

  /// The expressions it is made of.
  private var parts: [ValueExpression] {
    switch self {
    case .null, .constant, .selfObject, .variable, .truth: []
    case .keyPath(_, of: let object): [object]
    case .function(_, let arguments), .collection(let arguments), .conjunction(let arguments),
      .disjunction(let arguments):
      arguments
    case .invocation(of: let target, selector: _, let arguments): [target] + arguments
    case .comparison(let comparison): [comparison.left, comparison.right]
    case .negation(let part), .cast(let part, to: _): [part]
    case .conditional(let condition, then: let value, else: let other): [condition, value, other]
    case .fetch(let request, let context, countsOnly: _): [request, context]
    }
  }
}
