import ModelDescription

/// Why no anonymous copy is made; nothing is left of it.
public enum AnonymizationError: Error, Hashable, Sendable {
  /// A line is no rule.
  case badRule(path: String, line: Int, text: String)
  /// An earlier line has a rule for the same attribute.
  case secondRule(path: String, line: Int, name: String, first: Int)
  /// The model has no such entity or attribute.
  case unknownName(path: String, line: Int, name: String, near: [String])
  /// The attribute is declared by another entity, whose objects have it too.
  case inherited(path: String, line: Int, name: String, declared: String)
  /// The attribute is computed of others.
  case derived(path: String, line: Int, name: String)
  /// The attribute must have a value.
  case mandatory(path: String, line: Int, name: String)
  /// The attribute's values are neither numbers nor moments.
  case noNumber(path: String, line: Int, name: String)
  /// The text is no value that the attribute may have.
  case badValue(path: String, line: Int, name: String, text: String)
  /// No amount is left by which the numbers of all these attributes can be moved.
  case noShift(path: String, line: Int, names: [String])
  /// No text was found that the attribute's regular expression accepts.
  case noMatch(attribute: String, pattern: String)
  /// The regular expressions try more ways to match, over all values, than can be tried.
  case endless(attribute: String)
  /// A rule gives the same value to objects in which it must be unique.
  case replacedUnique(path: String, line: Int, name: String)
  /// No other values were found that are as unique as those of attributes must be.
  case attributesNotUnique([String])
  /// A value that must be unique in a table of the app has no other that is.
  case notUnique(table: String)
  /// The store has a virtual table that only the app can fill.
  case virtualTable(path: String, table: String)
}

extension AnonymizationError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .badRule(let path, let line, let text):
      """
      \(path):\(line): “\(text)” is no rule; write Entity.attribute and one of: keep, mask, shift, shift GROUP, \
      replace TEXT, null
      """
    case .secondRule(let path, let line, let name, let first):
      "\(path):\(line): line \(first) has a rule for \(name) already; keep one of the two"
    case .unknownName(let path, let line, let name, let near):
      "\(path):\(line): the model has no “\(name)” that is stored"
        + NearNames.clause(near, else: "; the names are those of: modelctl show")
    case .inherited(let path, let line, let name, let declared):
      "\(path):\(line): \(name) is kept with that of all objects that have it; write \(declared)"
    case .derived(let path, let line, let name):
      "\(path):\(line): \(name) is derived and computed anew; write a rule for what it is derived from"
    case .mandatory(let path, let line, let name):
      "\(path):\(line): \(name) is mandatory and cannot be null; write: \(name) replace TEXT"
    case .noNumber(let path, let line, let name):
      "\(path):\(line): \(name) is neither a number nor a date, and only those are shifted; write: \(name) mask"
    case .badValue(let path, let line, let name, let text):
      """
      \(path):\(line): “\(text)” is no value that the type and the validation of \(name) allow; write another one
      """
    case .noShift(let path, let line, let names):
      """
      \(path):\(line): the values and limits of \(names.joined(separator: " and ")) leave no amount by which all of them \
      can be shifted; give them different groups
      """
    case .noMatch(let attribute, let pattern):
      """
      \(attribute): no masked text was found that matches “\(pattern.prefix(80))”; write into the file of --rules: \
      \(attribute) replace TEXT, or: \(attribute) keep
      """
    case .endless(let attribute):
      """
      \(attribute): its regular expression tries more ways to match, over all values, than can be tried; write into the file \
      of --rules: \(attribute) replace TEXT, or: \(attribute) keep
      """
    case .replacedUnique(let path, let line, let name):
      """
      \(path):\(line): \(name) must be unique, and not all objects can have the same value; write: \(name) mask
      """
    case .attributesNotUnique(let names):
      """
      \(names.joined(separator: " and ")): no masked values were found that are as unique as the store's; write into the \
      file of --rules: \(names.first ?? "Entity.attribute") keep
      """
    case .notUnique(let table):
      """
      \(table): no masked values were found that are as unique as the store's; drop this table of the app in a copy of the \
      store first
      """
    case .virtualTable(let path, let table):
      "\(path): \(table) is a virtual table that only the app can fill; drop it in a copy of the store first"
    }
  }
}
