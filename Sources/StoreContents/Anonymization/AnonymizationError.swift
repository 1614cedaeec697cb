public import ModelDescription

/// The reason why a store is not anonymized; no copy is left behind.
public enum AnonymizationError: AdvisedError, Hashable {
  /// A line is not a valid rule.
  case badRule(path: String, line: Int, text: String)
  /// An earlier line has a rule for the same attribute.
  case secondRule(path: String, line: Int, name: String, first: Int)
  /// The model does not have the entity or attribute.
  case unknownName(path: String, line: Int, name: String, near: [String])
  /// Another entity declares the attribute, so its objects have it too.
  case inherited(path: String, line: Int, name: String, declared: String)
  /// The attribute is derived.
  case derived(path: String, line: Int, name: String)
  /// The attribute must have a value.
  case mandatory(path: String, line: Int, name: String)
  /// The attribute is neither a number nor a date.
  case noNumber(path: String, line: Int, name: String)
  /// The attribute does not allow the value.
  case badValue(path: String, line: Int, name: String, text: String)
  /// No shift keeps the values of all these attributes within their limits.
  case noShift(path: String, line: Int, names: [String])
  /// No masked text matches the attribute's regular expression.
  case noMatch(attribute: String, pattern: String)
  /// Matching all values against the regular expression takes too many steps.
  case endless(attribute: String)
  /// A rule gives the same value to all objects, but the attribute must be unique.
  case replacedUnique(path: String, line: Int, name: String)
  /// No masked values of the attributes are as unique as they must be.
  case attributesNotUnique([String])
  /// No masked values of one of the app's own tables are as unique as they must be.
  case notUnique(table: String)
  /// The store has a virtual table that only the app can write.
  case virtualTable(path: String, table: String)

  /// The line of the rules, the attribute, the table or the store.
  public var place: String? {
    switch self {
    case .badRule(let path, let line, _), .secondRule(let path, let line, _, _), .unknownName(let path, let line, _, _),
      .inherited(let path, let line, _, _), .derived(let path, let line, _), .mandatory(let path, let line, _),
      .noNumber(let path, let line, _), .badValue(let path, let line, _, _), .noShift(let path, let line, _),
      .replacedUnique(let path, let line, _):
      "\(path):\(line)"
    case .noMatch(let attribute, _), .endless(let attribute): attribute
    case .attributesNotUnique(let names): names.joined(separator: " and ")
    case .notUnique(let table): table
    case .virtualTable(let path, _): path
    }
  }

  /// The cause.
  public var cause: String {
    switch self {
    case .badRule(_, _, let text): "“\(text)” is not a valid rule"
    case .secondRule(_, _, let name, let first): "line \(first) already has a rule for \(name)"
    case .unknownName(_, _, let name, let near):
      CommonWords.unknown(
        name.contains(".") ? "stored attribute" : "entity", name, in: "the model", near: near)
    case .inherited(_, _, let name, _): "\(name) is inherited, and a rule applies to all objects with the attribute"
    case .derived(_, _, let name): "\(name) is derived, so its values are computed again"
    case .mandatory(_, _, let name): "\(name) is mandatory and cannot be null"
    case .noNumber(_, _, let name): "\(name) is neither a number nor a date, so it cannot be shifted"
    case .badValue(_, _, let name, let text):
      "“\(text)” is not a valid value of \(name); its type or its validation does not allow it"
    case .noShift(_, _, let names):
      "no shift keeps all values of \(names.joined(separator: " and ")) within their limits"
    case .noMatch(_, let pattern): "no masked text was found that matches “\(pattern.prefix(80))”"
    case .endless: "matching all values against its regular expression takes too many steps"
    case .replacedUnique(_, _, let name): "\(name) must be unique, so objects cannot all have the same value"
    case .attributesNotUnique, .notUnique: "no masked values were found that are as unique as those of the store"
    case .virtualTable(_, let table): "\(table) is a virtual table that only the app can write"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .badRule: "write Entity.attribute and one of: keep, mask, shift, shift GROUP, replace TEXT, null"
    case .secondRule: "remove one of the two rules"
    case .unknownName(_, _, _, let near): near.isEmpty ? "list the names: \(run: "modelctl", "show")" : nil
    case .inherited(_, _, _, let declared): "write \(declared)"
    case .derived: "write a rule for the attribute that it is derived from"
    case .mandatory(_, _, let name): "write: \(name) replace TEXT"
    case .noNumber(_, _, let name), .replacedUnique(_, _, let name): "write: \(name) mask"
    case .badValue: "write another value"
    case .noShift: "give the attributes different groups"
    case .noMatch(let name, _), .endless(let name):
      "add “\(name) replace TEXT” or “\(name) keep” to the rules: \(option: "--rules", "FILE")"
    case .attributesNotUnique(let names):
      "add “\(names.first ?? "Entity.attribute") keep” to the rules: \(option: "--rules", "FILE")"
    case .notUnique, .virtualTable: "drop this table in a copy of the store first"
    }
  }
}
