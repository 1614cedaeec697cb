import Foundation
public import ModelDescription

/// The value of an aspect in the source or in the destination.
public enum AspectValue: Hashable, Sendable {
  case none
  case flag(Bool)
  case number(Int)
  case text(String)
  case type(AttributeType)
  case value(AttributeValue)
  case names([String])
  case groups([[String]])
  case entries([String: String])

  init(_ text: String?) { self = text.map { $0.isEmpty ? .none : .text($0) } ?? .none }
  init(_ value: AttributeValue?) { self = value.map { .value($0) } ?? .none }
  init(_ flag: Bool?) { self = flag.map { .flag($0) } ?? .none }
}

extension AspectValue: CustomStringConvertible {
  /// The value in words; `none` if there is no value.
  public var description: String { words(in: .written) }

  /// The value in words to be read or heard; `none` if there is no value.
  package func words(in style: WordStyle) -> String {
    switch self {
    case .none: "none"
    case .flag(let flag): flag ? "yes" : "no"
    case .number(let number): String(number)
    case .text(let text): text
    case .type(let type): type.name
    case .value(let value): value.words(in: style)
    case .names(let names): names.isEmpty ? "none" : names.joined(separator: ", ")
    case .groups(let groups):
      groups.isEmpty ? "none" : groups.map { "(\($0.joined(separator: ", ")))" }.joined(separator: " ")
    case .entries(let entries):
      entries.isEmpty
        ? "none" : entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }
  }
}

extension AttributeValue {
  fileprivate func words(in style: WordStyle) -> String {
    switch self {
    case .integer(let value): String(value)
    case .decimal(let value): "\(value)"
    case .double(let value): String(value)
    case .string(let value): style.quoted(value)
    case .boolean(let value): value ? "yes" : "no"
    case .date(let seconds): DateText.of(seconds)
    case .binary(let data): "\(data.count) bytes"
    case .uuid(let value): value.uuidString
    case .uri(let value): value
    }
  }
}
