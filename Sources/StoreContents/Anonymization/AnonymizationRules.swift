import MigrationSQL
import ModelDescription
import PersistentStores

/// The rules for attributes that are not masked by default.
public struct AnonymizationRules: Hashable, Sendable {
  private struct Line: Hashable {
    let number: Int
    let entity: String
    let path: String
    let rule: AttributeRule
    /// The number of names in the path.
    var depth: Int { path.split(separator: ".").count }
  }

  private let path: String
  private let lines: [Line]

  /// No rules: everything is masked.
  public init() { (path, lines) = ("", []) }

  /// Reads rules: a line is `Entity.attribute` and its rule.
  ///
  /// The text after a `#` at the beginning or after a space is
  /// a comment.
  ///
  /// The rule of an element of a composite attribute takes precedence over the rule of the attribute.
  public init(reading text: String, path: String) throws(AnonymizationError) {
    var lines: [Line] = []
    var numbers: [[String]: Int] = [:]
    let ends = ["\n", "\r\n"] as [Character]
    for (position, line) in text.split(omittingEmptySubsequences: false, whereSeparator: ends.contains).enumerated() {
      let line = Self.withoutComment(line).trimmingPrefix(while: \.isWhitespace)
      guard !line.isEmpty else { continue }
      let words = line.split(maxSplits: 2, whereSeparator: \.isWhitespace).map(String.init)
      let names = words[0].split(separator: ".", maxSplits: 1).map(String.init)
      guard names.count == 2, words.count >= 2, let rule = Self.rule(words) else {
        throw .badRule(path: path, line: position + 1, text: String(line))
      }
      if let first = numbers.updateValue(position + 1, forKey: names) {
        throw .secondRule(path: path, line: position + 1, name: words[0], first: first)
      }
      lines.append(Line(number: position + 1, entity: names[0], path: names[1], rule: rule))
    }
    (self.path, self.lines) = (path, lines)
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    var before: Character = " "
    for position in line.indices {
      if line[position] == "#", before.isWhitespace { return line[..<position] }
      before = line[position]
    }
    return line
  }

  private static func rule(_ words: [String]) -> AttributeRule? {
    var value = words.count > 2 ? words[2] : nil
    while value?.last?.isWhitespace == true { value?.removeLast() }
    if value?.isEmpty == true { value = nil }
    switch (words[1], value) {
    case ("keep", nil): return .keep
    case ("mask", nil): return .mask
    case ("null", nil): return .null
    case ("shift", let group): return .shift(group: group)
    case ("replace", let text?): return .replace(text)
    default: return nil
    }
  }

  /// The rules by the attributes that columns are of.
  func resolved(in store: StoreModel) throws(AnonymizationError) -> [PropertyAddress: ResolvedRule] {
    var rules: [PropertyAddress: ResolvedRule] = [:]
    for line in lines.sorted(by: { ($0.depth, $0.number) < ($1.depth, $1.number) }) {
      let name = "\(line.entity).\(line.path)"
      let entities = store.hierarchy.model.entities.map(\.name)
      guard entities.contains(line.entity) else {
        throw .unknownName(
          path: path, line: line.number, name: line.entity,
          near: NearNames.nearest(to: line.entity, among: entities.sorted()))
      }
      let attributes = store.hierarchy.allAttributes(of: line.entity).values.filter { !$0.property.isTransient }
      let leaves = attributes.flatMap { declared in
        declared.property.leaves.map { (declared.property, $0.path.joined(separator: "."), $0.attribute) }
      }
      let chosen = leaves.filter { $0.1 == line.path || $0.1.hasPrefix(line.path + ".") }
      guard !chosen.isEmpty else {
        throw .unknownName(
          path: path, line: line.number, name: name,
          near: NearNames.nearest(to: line.path, among: leaves.map(\.1).sorted()).map { "\(line.entity).\($0)" })
      }
      for (attribute, leafPath, leaf) in chosen {
        let address = PropertyAddress(entity: line.entity, property: leafPath)
        guard case .attribute(let declared)? = store.layout.column(ofAttribute: address)?.role else { continue }
        guard declared.entity == line.entity else {
          throw .inherited(path: path, line: line.number, name: name, declared: "\(declared.entity).\(line.path)")
        }
        if attribute.derivation != nil { throw .derived(path: path, line: line.number, name: name) }
        if line.rule == .null, !attribute.isOptional || !leaf.isOptional {
          throw .mandatory(path: path, line: line.number, name: name)
        }
        try check(line, leaf)
        rules[declared] = ResolvedRule(rule: line.rule, path: path, line: line.number, name: name)
      }
    }
    return rules
  }

  private func check(_ line: Line, _ leaf: AttributeDescription) throws(AnonymizationError) {
    let name = "\(line.entity).\(line.path)"
    switch line.rule {
    case .shift:
      guard leaf.type.isNumeric || leaf.type == .date else {
        throw .noNumber(path: path, line: line.number, name: name)
      }
    case .replace(let text):
      guard ReplacedValue(text, for: leaf) != nil else {
        throw .badValue(path: path, line: line.number, name: name, text: text)
      }
    case .keep, .mask, .null: break
    }
  }
}

/// The rule of an attribute in an anonymous copy.
public enum AttributeRule: Hashable, Sendable {
  /// Keep the values.
  case keep
  /// Replace each value by a value of the same kind; this is the default.
  case mask
  /// Shift all numbers and dates by the same amount; attributes of one group share the amount.
  case shift(group: String?)
  /// Replace all values by this value.
  case replace(String)
  /// None is left.
  case null
}

/// The rule of an attribute, with its location.
struct ResolvedRule {
  let rule: AttributeRule
  let path: String
  let line: Int
  let name: String
}
