import Foundation

/// The part of JSON Schema 2020-12 that the schemas of this package use; another keyword is a fault of its own.
struct JSONSchema {
  private let root: JSONValue
  private static let annotations: Set<String> = ["$schema", "$id", "title", "description"]

  init(_ root: JSONValue) { self.root = root }

  /// What is wrong with a document, each fault with its place.
  func faults(in document: JSONValue) -> [String] { faults(document, root, at: "$") }

  private func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    guard case .object(let keywords) = schema else { return ["\(place): the schema is no object"] }
    return keywords.sorted { $0.key < $1.key }.flatMap { keyword, rule in
      faults(value, keyword, rule, keywords, at: place)
    }
  }

  private func faults(
    _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: [String: JSONValue], at place: String
  ) -> [String] {
    switch (keyword, value) {
    case ("type", _):
      let types = rule.text.map { [$0] } ?? rule.elements.compactMap(\.text)
      let isAllowed = types.contains(value.type) || (value.type == "integer" && types.contains("number"))
      return isAllowed ? [] : ["\(place): \(value.type) instead of \(types.joined(separator: " or "))"]
    case ("const", _): return value == rule ? [] : ["\(place): is not \(rule)"]
    case ("enum", _): return rule.elements.contains(value) ? [] : ["\(place): \(value) is none of \(rule.elements)"]
    case ("properties", .object(let members)):
      return members.sorted { $0.key < $1.key }.flatMap { name, member in
        rule[name].map { faults(member, $0, at: "\(place).\(name)") } ?? []
      }
    case ("required", .object(let members)):
      return rule.elements.compactMap(\.text).filter { members[$0] == nil }.map { "\(place): lacks \($0)" }
    case ("additionalProperties", .object(let members)):
      let others = members.filter { schema["properties"]?[$0.key] == nil }.sorted { $0.key < $1.key }
      guard rule != .boolean(false) else { return others.map { "\(place): has \($0.key) as well" } }
      return others.flatMap { faults($0.value, rule, at: "\(place).\($0.key)") }
    case ("items", .array(let elements)):
      return elements.enumerated().flatMap { faults($1, rule, at: "\(place)[\($0)]") }
    case ("minimum", .integer(let number)):
      guard case .integer(let minimum) = rule else { return ["\(place): a minimum that is no integer"] }
      return number >= minimum ? [] : ["\(place): \(number) is less than \(minimum)"]
    case ("pattern", .string(let text)):
      let pattern = rule.text ?? ""
      return text.range(of: pattern, options: .regularExpression) == nil ? ["\(place): \(text) is not \(pattern)"] : []
    case ("properties", _), ("required", _), ("additionalProperties", _), ("items", _), ("minimum", _), ("pattern", _):
      return []
    default: return Self.annotations.contains(keyword) ? [] : ["\(place): unknown keyword \(keyword)"]
    }
  }
}
