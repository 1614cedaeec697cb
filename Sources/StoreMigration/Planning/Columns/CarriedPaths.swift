import MappingModels
import MigrationSQL

/// The key paths whose values a mapping carries over from the source object.
struct CarriedPaths {
  private var paths: Set<[String]> = []

  /// Adds the paths whose values an expression may give; what it merely compares or counts is not carried by it.
  mutating func add(_ expression: ValueExpression) {
    switch expression {
    case .comparison: return
    case .conditional(_, then: let value, else: let other):
      add(value)
      add(other)
    case .keyPath(let path, of: let object) where object == .selfObject || object == .variable("source"):
      if !path.contains("@count") { paths.insert(path) }
    default:
      for part in expression.parts { add(part) }
    }
  }

  /// Adds the paths whose values a property may get.
  mutating func add(_ value: PropertyMapping.Value) {
    if case .sql(let text) = value { add(sql: text) }
    if let expression = value.expression { add(expression) }
  }

  /// Adds the paths that SQL puts values of in place; SQL that cannot be taken apart is refused elsewhere.
  mutating func add(sql: String) {
    guard let snippet = try? SQLSnippet(sql) else { return }
    for case .source(let path) in snippet.parts where !path.isEmpty && !path.contains("@count") { paths.insert(path) }
  }

  /// Adds the paths of others.
  mutating func formUnion(_ other: CarriedPaths) { paths.formUnion(other.paths) }

  /// The properties of the source object that paths begin with.
  var properties: Set<String> { Set(paths.compactMap(\.first)) }

  /// True when the values of an attribute, or of an element of a composite one, are among what is carried.
  func hasAttribute(_ path: [String]) -> Bool { paths.contains { $0.starts(with: path) || path.starts(with: $0) } }

  /// The properties of the source object to whose own values a path leads, and no further.
  var wholeProperties: Set<String> { Set(paths.filter { $0.count == 1 }.compactMap(\.first)) }
}

extension ValueExpression {
  /// The functions of a policy that the expression calls.
  var policySelectors: Set<String> {
    var selectors = parts.reduce(into: Set<String>()) { $0.formUnion($1.policySelectors) }
    if case .invocation(of: .variable("entityPolicy"), let selector, _) = self { selectors.insert(selector) }
    return selectors
  }
}
