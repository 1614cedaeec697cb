import MappingModels

extension CustomEntityMapping {
  /// The first keys, and whole key paths, that the mapping's filter, expressions and SQL read of the source object.
  var keysRead: Set<String> {
    var keys: Set<String> = []
    if let filter { filter.collectKeys(into: &keys) }
    for mapping in attributeMappings + relationshipMappings {
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
    switch self {
    case .null, .constant, .selfObject, .variable, .truth: return
    case .keyPath(let path, of: let object):
      switch object {
      case .selfObject, .variable("source"):
        if let first = path.first { keys.insert(first) }
        keys.insert(path.joined(separator: "."))
      default: object.collectKeys(into: &keys)
      }
    case .function(_, let arguments), .collection(let arguments), .conjunction(let arguments),
      .disjunction(let arguments):
      for argument in arguments { argument.collectKeys(into: &keys) }
    case .invocation(of: let target, selector: _, let arguments):
      target.collectKeys(into: &keys)
      for argument in arguments { argument.collectKeys(into: &keys) }
    case .comparison(let comparison):
      comparison.left.collectKeys(into: &keys)
      comparison.right.collectKeys(into: &keys)
    case .negation(let part), .cast(let part, to: _): part.collectKeys(into: &keys)
    case .conditional(let condition, then: let value, else: let other):
      for part in [condition, value, other] { part.collectKeys(into: &keys) }
    case .fetch(let request, let context, countsOnly: _):
      request.collectKeys(into: &keys)
      context.collectKeys(into: &keys)
    }
  }
}
