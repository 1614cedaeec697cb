package import Foundation

/// JSON Schema as far as the schemas here use it, ours (2020-12) and SARIF's (draft 4); another keyword is a fault of its own.
package struct JSONSchema {
  private let root: JSONValue
  /// The folder of the schemas of what the program prints.
  package static let folder = Transcript.project.appendingPathComponent("docs/schemas")
  private static let annotations: Set<String> = [
    "$schema", "$id", "id", "title", "description", "default", "definitions", "$defs",
  ]

  package init(_ root: JSONValue) { self.root = root }

  /// The errors of a document, each with its location.
  package func faults(in document: JSONValue) -> [String] { faults(document, root, at: "$") }

  private func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    guard case .object(let keywords) = schema else { return ["\(place): the schema is no object"] }
    return keywords.sorted { $0.key < $1.key }.flatMap { keyword, rule in
      faults(value, keyword, rule, keywords, at: place)
    }
  }

  private func faults(
    _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: [String: JSONValue], at place: String
  ) -> [String] {
    switch keyword {
    case "$ref": definition(rule).map { faults(value, $0, at: place) } ?? ["\(place): nothing is at \(rule)"]
    case "type":
      typeFaults(value, rule.text.map { [$0] } ?? rule.elements.compactMap(\.text), at: place)
    case "const": value == rule ? [] : ["\(place): is not \(rule)"]
    case "enum": rule.elements.contains(value) ? [] : ["\(place): \(value) is none of \(rule.elements)"]
    case "anyOf":
      matches(value, rule) > 0 ? [] : ["\(place): fits none of \(rule.elements.count) schemas"]
    case "oneOf":
      matches(value, rule) == 1 ? [] : ["\(place): fits \(matches(value, rule)) schemas instead of one"]
    case "properties", "required", "additionalProperties":
      if case .object(let members) = value { memberFaults(members, keyword, rule, schema, at: place) } else { [] }
    case "items", "minItems", "uniqueItems":
      if case .array(let elements) = value { elementFaults(elements, keyword, rule, at: place) } else { [] }
    case "minimum", "maximum": numberFaults(value, keyword, rule, at: place)
    case "pattern", "format":
      if case .string(let text) = value { textFaults(text, keyword, rule.text ?? "", at: place) } else { [] }
    default: Self.annotations.contains(keyword) ? [] : ["\(place): unknown keyword \(keyword)"]
    }
  }

  /// The target of a reference of the form `#/definitions/name`.
  private func definition(_ reference: JSONValue) -> JSONValue? {
    let steps = (reference.text ?? "").split(separator: "/")
    guard steps.first == "#" else { return nil }
    return steps.dropFirst().reduce(root) { schema, step in schema?[String(step)] }
  }

  private func matches(_ value: JSONValue, _ schemas: JSONValue) -> Int {
    schemas.elements.filter { faults(value, $0, at: "").isEmpty }.count
  }

  private func typeFaults(_ value: JSONValue, _ types: [String], at place: String) -> [String] {
    let isAllowed = types.contains(value.type) || (value.type == "integer" && types.contains("number"))
    return isAllowed ? [] : ["\(place): \(value.type) instead of \(types.joined(separator: " or "))"]
  }

  private func memberFaults(
    _ members: [String: JSONValue], _ keyword: String, _ rule: JSONValue, _ schema: [String: JSONValue],
    at place: String
  ) -> [String] {
    let sorted = members.sorted { $0.key < $1.key }
    switch keyword {
    case "required":
      return rule.elements.compactMap(\.text).filter { members[$0] == nil }.map { "\(place): lacks \($0)" }
    case "properties":
      return sorted.flatMap { name, member in
        rule[name].map { faults(member, $0, at: "\(place).\(name)") } ?? []
      }
    default:
      let others = sorted.filter { schema["properties"]?[$0.key] == nil }
      switch rule {
      case .boolean(true): return []
      case .boolean(false): return others.map { "\(place): has \($0.key) as well" }
      default: return others.flatMap { faults($0.value, rule, at: "\(place).\($0.key)") }
      }
    }
  }

  private func elementFaults(
    _ elements: [JSONValue], _ keyword: String, _ rule: JSONValue, at place: String
  ) -> [String] {
    switch (keyword, rule) {
    case ("minItems", .integer(let minimum)):
      elements.count >= minimum ? [] : ["\(place): \(elements.count) elements instead of \(minimum)"]
    case ("uniqueItems", .boolean(let isWanted)):
      !isWanted || Set(elements).count == elements.count ? [] : ["\(place): an element stands twice"]
    case ("items", _): elements.enumerated().flatMap { faults($1, rule, at: "\(place)[\($0)]") }
    default: ["\(place): \(keyword) cannot be \(rule)"]
    }
  }

  private func numberFaults(
    _ value: JSONValue, _ keyword: String, _ rule: JSONValue, at place: String
  ) -> [String] {
    guard let limit = rule.double else { return ["\(place): a \(keyword) that is no number"] }
    guard let number = value.double else { return [] }
    let text = if case .integer(let integer) = value { "\(integer)" } else { "\(number)" }
    let bound = if case .integer(let integer) = rule { "\(integer)" } else { "\(limit)" }
    return keyword == "minimum"
      ? (number >= limit ? [] : ["\(place): \(text) is less than \(bound)"])
      : (number <= limit ? [] : ["\(place): \(text) is more than \(bound)"])
  }

  private func textFaults(_ text: String, _ keyword: String, _ rule: String, at place: String) -> [String] {
    let pattern = keyword == "pattern" ? rule : Self.formats[rule]
    guard let pattern else { return ["\(place): unknown format \(rule)"] }
    return text.range(of: pattern, options: .regularExpression) == nil ? ["\(place): \(text) is not \(rule)"] : []
  }

  /// The grammars of RFC 3986 and RFC 3339, as far as one expression can hold them.
  private static let formats = [
    "uri": "^[A-Za-z][A-Za-z0-9+.-]*:\(uriCharacters)$",
    "uri-reference": "^([A-Za-z][A-Za-z0-9+.-]*:|[^:/?#]*([/?#]|$))\(uriCharacters)$",
    "date-time": #"^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$"#,
  ]
  private static let uriCharacters = #"([A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*"#
}

extension JSONSchema {
  /// The keywords anywhere in the schema that this does not know, whether or not a document reaches them.
  package var unknownKeywords: Set<String> { unknownKeywords(in: root) }

  private func unknownKeywords(in schema: JSONValue) -> Set<String> {
    guard case .object(let keywords) = schema else { return [] }
    var unknown: Set<String> = []
    for (keyword, rule) in keywords {
      // Any value tells whether a keyword is known, since what is not is a fault for each.
      if faults(.null, keyword, rule, keywords, at: "").contains(": unknown keyword \(keyword)") {
        unknown.insert(keyword)
      }
      if keyword == "format", Self.formats[rule.text ?? ""] == nil { unknown.insert("format \(rule)") }
      switch (keyword, rule) {
      case ("properties", .object(let members)), ("definitions", .object(let members)):
        members.values.forEach { unknown.formUnion(unknownKeywords(in: $0)) }
      case ("items", _), ("additionalProperties", _): unknown.formUnion(unknownKeywords(in: rule))
      case ("anyOf", _), ("oneOf", _): rule.elements.forEach { unknown.formUnion(unknownKeywords(in: $0)) }
      default: break
      }
    }
    return unknown
  }
}
