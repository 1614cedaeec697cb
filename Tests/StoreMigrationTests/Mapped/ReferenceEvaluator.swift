import Foundation
import GRDB
import MappingModels
import ModelDescription
import TestSupport

/// Computes expressions object by object, slowly and plainly, over objects in memory.
///
/// It shares no code with the compiler to SQL: key paths are followed key by key as key-value coding does, collections are
/// arrays, and comparisons are spelled out.
struct ReferenceEvaluator {
  let graph: ObjectGraph
  let model: EntityHierarchy
  /// The value of `now()`.
  let now: Double
  /// The result of a policy call.
  var policy: (String, [ReferenceValue]) throws -> ReferenceValue = { selector, _ in
    throw ReferenceFailure.unsupported(selector)
  }

  private let entities: [String]
  /// The members that variables of surrounding `SUBQUERY`s stand for.
  private var variables: [String: ReferenceObject] = [:]

  init(graph: ObjectGraph, model: EntityHierarchy, now: Double = 0) {
    self.graph = graph
    self.model = model
    self.now = now
    entities = model.model.entities.map(\.name)
  }

  /// The value of an expression for a source object.
  func value(_ expression: ValueExpression, of object: ReferenceObject) throws -> ReferenceValue {
    switch expression {
    case .null: return .null
    case .constant(let value): return constant(value)
    case .selfObject, .variable("source"): return .object(object)
    case .variable(let name):
      guard let member = variables[name] else { throw ReferenceFailure.unsupported(name) }
      return .object(member)
    case .keyPath(let keys, let base): return try follow(keys[...], from: value(base, of: object))
    case .function(let name, let arguments):
      return try function(name, arguments.map { try value($0, of: object) })
    case .invocation(.variable("entityPolicy"), let selector, let arguments):
      return try policy(selector, arguments.map { try value($0, of: object) })
    case .invocation(_, let selector, _): throw ReferenceFailure.unsupported(selector)
    case .comparison, .conjunction, .disjunction, .negation, .truth:
      return .truth(try condition(expression, of: object))
    case .conditional(let test, let first, let second):
      return try value(condition(test, of: object) ? first : second, of: object)
    case .cast(let part, let name): return try cast(value(part, of: object), to: name)
    case .collection(let parts): return .list(try parts.map { try value($0, of: object) })
    case .subquery(let collection, let variable, let condition):
      let found = try value(collection, of: object)
      let kept = try (found.members ?? []).filter { member in
        guard case .object(let member) = member else { return false }
        var inner = self
        inner.variables[variable] = member
        return try inner.condition(condition, of: object)
      }
      return if case .set = found { .set(kept) } else { .list(kept) }
    case .fetch: throw ReferenceFailure.unsupported("FETCH")
    }
  }

  /// True if a source object fulfils a condition.
  func condition(_ expression: ValueExpression, of object: ReferenceObject) throws -> Bool {
    switch expression {
    case .truth(let isTrue): return isTrue
    case .negation(let part): return try !condition(part, of: object)
    case .conjunction(let parts):
      for part in parts where try !condition(part, of: object) { return false }
      return true
    case .disjunction(let parts):
      for part in parts where try condition(part, of: object) { return true }
      return false
    case .comparison(let comparison): return try compare(comparison, of: object)
    default:
      guard case .truth(let isTrue) = try value(expression, of: object) else { return false }
      return isTrue
    }
  }

  /// The source objects that an expression gives, collections of collections taken as their members, each once.
  func targets(_ expression: ValueExpression, of object: ReferenceObject) throws -> [ReferenceObject] {
    var found: [ReferenceObject] = []
    func collect(_ value: ReferenceValue) {
      if case .object(let object) = value, !found.contains(object) { found.append(object) }
      value.members?.forEach(collect)
    }
    collect(try value(expression, of: object))
    return found
  }

  /// The value as the column of a destination attribute keeps it.
  func stored(
    _ expression: ValueExpression, for attribute: AttributeDescription, of object: ReferenceObject
  ) throws -> DatabaseValue {
    let found = try value(expression, of: object)
    switch attribute.type {
    case .integer16: return try whole(found, Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return try whole(found, Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return try whole(found, .min ... .max)
    case .boolean: return found.number.map { $0 == 0 ? 0.databaseValue : 1.databaseValue } ?? .null
    default: break
    }
    switch found {
    case .null, .object, .set, .list: return .null
    case .integer(let number): return number.databaseValue
    case .real(let number), .date(let number): return number.databaseValue
    case .truth(let isTrue): return (isTrue ? 1 : 0).databaseValue
    case .text(let text): return text.databaseValue
    case .uuid(let data): return data.databaseValue
    case .data(let data): return (attribute.allowsExternalBinaryDataStorage ? Data([1]) + data : data).databaseValue
    }
  }

  private func whole(_ value: ReferenceValue, _ bounds: ClosedRange<Int64>) throws -> DatabaseValue {
    let number: Int64
    switch value {
    case .integer(let found): number = found
    case .truth(let isTrue): number = isTrue ? 1 : 0
    case .real(let found):
      guard abs(found) < 9.3e18, let cut = Int64(exactly: found.rounded(.towardZero)) else {
        throw ReferenceFailure.doesNotFit
      }
      number = cut
    default: return .null
    }
    guard bounds.contains(number) else { throw ReferenceFailure.doesNotFit }
    return number.databaseValue
  }

  private func constant(_ value: AttributeValue) -> ReferenceValue {
    switch value {
    case .integer(let number): .integer(number)
    case .decimal(let number): .real(Double(number.description) ?? .nan)
    case .double(let number): .real(number)
    case .string(let text), .uri(let text): .text(text)
    case .boolean(let flag): .truth(flag)
    case .date(let seconds): .date(seconds)
    case .binary(let data): .data(data)
    case .uuid(let uuid): .uuid(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    }
  }

  private func cast(_ value: ReferenceValue, to name: String) throws -> ReferenceValue {
    switch (value, name) {
    case (.null, _): return .null
    case (.integer(let number), "NSString"): return .text("\(number)")
    case (.truth(let isTrue), "NSString"): return .text(isTrue ? "1" : "0")
    case (.real(let number), "NSString"):
      return .text("\(number)".hasSuffix(".0") ? String("\(number)".dropLast(2)) : "\(number)")
    case (.text, "NSString"), (.text, "NSURL"), (.uuid, "NSUUID"), (.date, "NSDate"), (.data, "NSData"): return value
    case (.date(let seconds), "NSNumber"): return .real(seconds)
    case (.integer, "NSNumber"), (.real, "NSNumber"), (.truth, "NSNumber"): return value
    case (.integer, "NSDecimalNumber"), (.real, "NSDecimalNumber"), (.truth, "NSDecimalNumber"):
      return .real(value.number ?? 0)
    case (.integer, "NSDate"), (.real, "NSDate"): return .date(value.number ?? 0)
    case (.text(let text), "NSNumber"), (.text(let text), "NSDecimalNumber"):
      let isPlain = text.allSatisfy { "+-.eE0123456789".contains($0) }
      guard isPlain, let number = Double(text), number.isFinite else { throw ReferenceFailure.unreadable }
      return .real(number)
    case (.text(let text), "NSUUID"):
      guard let uuid = UUID(uuidString: text) else { throw ReferenceFailure.unreadable }
      return constant(.uuid(uuid))
    case (.uuid(let data), "NSData"): return .data(data)
    case (.uuid(let data), "NSString"):
      guard data.count == 16 else { throw ReferenceFailure.unreadable }
      return .text(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString })
    default: throw ReferenceFailure.unsupported(name)
    }
  }
}

extension ReferenceEvaluator {
  /// Key-value coding: key by key, on a collection for every member.
  func follow(_ keys: ArraySlice<String>, from value: ReferenceValue) throws -> ReferenceValue {
    guard let key = keys.first else { return value }
    if value.isNull { return .null }
    if key.hasPrefix("@") { return try operate(key, keys.dropFirst(), on: value) }
    if let members = value.members {
      let found = try members.map { try follow([key], from: $0) }
      return try follow(keys.dropFirst(), from: .set(of: found))
    }
    switch value {
    case .object(let object):
      if let composite = model.allAttributes(of: object.entity)[key]?.property, composite.type == .composite {
        let depth = leafDepth(composite, keys)
        let path = keys.prefix(depth).joined(separator: ".")
        return try follow(keys.dropFirst(depth), from: attribute(path, of: object))
      }
      return try follow(keys.dropFirst(), from: property(key, of: object))
    case .text(let text) where key == "length":
      return try follow(keys.dropFirst(), from: .integer(Int64(text.utf16.count)))
    case .data(let data) where key == "length":
      return try follow(keys.dropFirst(), from: .integer(Int64(data.count)))
    case .date(let seconds) where key == "timeIntervalSinceReferenceDate":
      return try follow(keys.dropFirst(), from: .real(seconds))
    default:
      if key == "self" { return try follow(keys.dropFirst(), from: value) }
      throw ReferenceFailure.unsupported(key)
    }
  }

  private func leafDepth(_ attribute: AttributeDescription, _ keys: ArraySlice<String>) -> Int {
    var attribute = attribute
    var depth = 1
    for key in keys.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == key }) else { break }
      attribute = element
      depth += 1
    }
    return depth
  }

  private func property(_ key: String, of object: ReferenceObject) throws -> ReferenceValue {
    if model.allAttributes(of: object.entity)[key] != nil { return try attribute(key, of: object) }
    guard let declared = model.allRelationships(of: object.entity)[key] else { throw ReferenceFailure.unsupported(key) }
    let name = "\(declared.entity.name).\(key)"
    let family = model.family(of: declared.property.destinationEntityName ?? "").map(\.name)
    func target(_ key: Int64) -> ReferenceObject? {
      graph.entity(ofRow: key, among: family).map { ReferenceObject(entity: $0, key: key) }
    }
    let far = (graph.links[name] ?? []).filter { $0.near == object.key }.map(\.far)
    guard declared.property.isToMany else {
      return far.first.flatMap(target).map { .object($0) } ?? .null
    }
    let order = declared.property.isOrdered ? graph.orders[name]?[object.key] ?? [] : far.sorted()
    return .set(order.compactMap(target).map { .object($0) })
  }

  private func attribute(_ path: String, of object: ReferenceObject) throws -> ReferenceValue {
    let keys = path.split(separator: ".").map(String.init)
    guard var attribute = model.allAttributes(of: object.entity)[keys[0]]?.property else {
      throw ReferenceFailure.unsupported(path)
    }
    for key in keys.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == key }) else {
        throw ReferenceFailure.unsupported(path)
      }
      attribute = element
    }
    let stored = graph.rows[object.entity]?[object.key]?[path] ?? .null
    switch stored.storage {
    case .null: return .null
    case .int64(let number):
      switch attribute.type {
      case .boolean: return .truth(number != 0)
      case .date: return .date(Double(number))
      case .decimal, .double, .float: return .real(Double(number))
      default: return .integer(number)
      }
    case .double(let number): return attribute.type == .date ? .date(number) : .real(number)
    case .string(let text): return .text(text)
    case .blob(let data):
      if attribute.type == .uuid { return .uuid(data) }
      return .data(attribute.allowsExternalBinaryDataStorage ? Data(data.dropFirst()) : data)
    }
  }

  /// Collection operators; what follows a union of keys is asked of the union.
  private func operate(
    _ name: String, _ rest: ArraySlice<String>, on value: ReferenceValue
  ) throws -> ReferenceValue {
    guard let members = value.members else { throw ReferenceFailure.unsupported(name) }
    switch name {
    case "@count": return .integer(Int64(members.count))
    case "@sum", "@avg", "@min", "@max":
      return try aggregate(name, members.map { try follow(rest, from: $0) })
    default:
      let own = rest.prefix { !$0.hasPrefix("@") }
      let each = try members.map { try follow(own, from: $0) }
      let isFlat = name.hasSuffix("OfSets") || name.hasSuffix("OfArrays")
      let collected = (isFlat ? each.flatMap { $0.members ?? [] } : each).filter { !$0.isNull }
      let union = name.hasPrefix("@distinct") ? ReferenceValue.set(of: collected) : .list(collected)
      return try follow(rest.dropFirst(own.count), from: union)
    }
  }

  /// Missing values are 0 in sums and averages and nothing in minimum and maximum.
  private func aggregate(_ name: String, _ values: [ReferenceValue]) throws -> ReferenceValue {
    let present = values.filter { !$0.isNull }
    switch name {
    case "@sum":
      return .real(present.compactMap(\.number).reduce(0, +))
    case "@avg":
      return .real(values.isEmpty ? 0 : present.compactMap(\.number).reduce(0, +) / Double(values.count))
    default:
      let wanted: ComparisonResult = name == "@min" ? .orderedAscending : .orderedDescending
      var best: ReferenceValue?
      for value in present {
        guard let current = best else {
          best = value
          continue
        }
        if order(value, current, []) == wanted { best = value }
      }
      return best ?? .null
    }
  }

  /// The order of two present values, nil for what has none.
  func order(_ one: ReferenceValue, _ two: ReferenceValue, _ options: String.CompareOptions) -> ComparisonResult? {
    func ordered<Value: Comparable>(_ one: Value, _ two: Value) -> ComparisonResult {
      one < two ? .orderedAscending : one > two ? .orderedDescending : .orderedSame
    }
    if case .text(let first) = one, case .text(let second) = two { return first.compare(second, options: options) }
    if case .date(let first) = one, case .date(let second) = two { return ordered(first, second) }
    return one.numericOrder(two)
  }
}
