import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows
import TestSupport
import VersionHashing

@testable import AtomicStores

/// Documents of a model that has an attribute of every type, inheritance, and relationships of every kind.
enum StoreSamples {
  static let model = EveryTypeModel.model()

  static func hierarchy() throws -> EntityHierarchy { try EntityHierarchy(model) }

  static func metadata(_ type: String?) throws -> StoreMetadata {
    var entries: [String: PropertyList] = [
      "app": .dictionary([
        "list": .array([.string("a<&>\"ü\n"), .integer(-7), .boolean(true), .real(0.1), .dictionary([:]), .array([])]),
        "day": .date(700_000_000), "bytes": .data(Data(repeating: 7, count: 200)), "none": .data(Data()),
      ])
    ]
    if let type { entries["NSStoreType"] = .string(type) }
    return StoreMetadata(
      uuid: "9ECD24C8-A2FC-49F1-A4F6-D9A513D12374", versionHashes: try VersionHashes(of: model), identifiers: [],
      entries: entries)
  }

  static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> RecordValue {
    func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }
    let bits = Double(bitPattern: random.next())
    let real = bits.isFinite ? bits : 0.5
    let bytes = Data((0..<Int.random(in: 0...200, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    let text = pick(["", "a", " x ", "$null", "<&>\"'", "é\r\n\t😀", "\u{85}\u{2028}", "0", "]]>"]) ?? ""
    switch type {
    case .integer16: return .attribute(.integer(Int64(Int16.random(in: .min ... .max, using: &random))))
    case .integer32: return .attribute(.integer(Int64(Int32.random(in: .min ... .max, using: &random))))
    case .integer64: return .attribute(.integer(Int64.random(in: .min ... .max, using: &random)))
    case .decimal:
      let texts = [
        "0", "80.00", "-0.1", "1e100", "-1e-100", "340282366920938463463374607431768211455",
        "12345678901234567890.123456789012345678",
      ]
      return .attribute(.decimal(pick(texts).flatMap { Decimal(string: $0) } ?? 1))
    case .double: return .attribute(.double(pick([real, 0.1, -0.0, 1e300, .infinity, .leastNonzeroMagnitude]) ?? 0))
    case .float:
      return .attribute(.double(pick([19.6, Double(Float(19.6)), 16_777_217, 16_777_216, real, 0.25, 1e-40]) ?? 0))
    case .string: return .attribute(.string(text))
    case .boolean: return .attribute(.boolean(Bool.random(using: &random)))
    case .date: return .attribute(.date(pick([445_103_622.25, real, 0, -1e-30, 123_456_789.123456789]) ?? 0))
    case .binary: return .attribute(.binary(bytes))
    case .uuid: return .attribute(.uuid(UUID()))
    case .uri: return .attribute(.uri("https://example.org/?a=1&b=" + text.filter { $0 == "a" }))
    case .transformable:
      let archive = ArchivedValue.array([.string("red"), .integer(3), .dictionary(["x": .null, "y": .date(4)])]).archive
      return .transformed(
        pick([bytes, archive, ArchivedValue.null.archive, ArchivedValue.data(bytes).archive]) ?? bytes)
    case .composite:
      return
        pick([
          .composite([:]), .composite(["Latitude": 1.5]), .composite(["inner": .composite([:])]),
          .composite(["Latitude": -0.25, "inner": .composite(["word": .attribute(.string(text))])]),
        ]) ?? .null
    case .undefined, .objectID, .unrecognized:
      return value(
        pick([.integer64, .string, .double, .date, .uuid, .uri, .decimal, .boolean, .binary]) ?? .string, &random)
    }
  }

  /// A document whose to-many relationships hold at least one object, and that names no transient property.
  static func document(seed: UInt64, sharedKeys: Bool, type: String?) throws -> StoreDocument {
    var random = SeededGenerator(seed: seed)
    let hierarchy = try hierarchy()
    let first = sharedKeys ? Int64.random(in: -3...3, using: &random) : 1
    let items = (0..<20).map { RecordID(entity: $0 % 3 == 0 ? "BigItem" : "Item", key: first + Int64($0) * 2) }
    let owners = (0..<4).map { RecordID(entity: "Owner", key: sharedKeys ? Int64($0) : 100 + Int64($0)) }
    var objects: [StoreDocument.Object] = owners.map {
      StoreDocument.Object(id: $0, values: ["fullName": .attribute(.string("Owner \($0.key)"))])
    }
    for id in items {
      var values: [String: RecordValue] = [:]
      for (name, declared) in hierarchy.allAttributes(of: id.entity).sorted(by: { $0.key < $1.key })
      where !declared.property.isTransient && Int.random(in: 0...3, using: &random) > 0 {
        values[name] = value(declared.property.type, &random)
      }
      values["owner"] = owners.randomElement(using: &random).map { .object($0) }
      let some = items.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
      if !some.isEmpty {
        values["row"] = .objects(Array(some))
        values["friends"] = .objects(some.sorted { ($0.key, $0.entity) < ($1.key, $1.entity) })
      }
      if id.entity == "BigItem" { values["boss"] = items.randomElement(using: &random).map { .object($0) } }
      objects.append(StoreDocument.Object(id: id, values: values))
    }
    let greatest = ["Item": items.map(\.key).max() ?? 0, "Owner": owners.map(\.key).max() ?? 0]
    let choices: [[String: Int64]] = [greatest, ["Item": 900, "Owner": 103], [:]]
    let last = choices.randomElement(using: &random) ?? [:]
    return StoreDocument(metadata: try metadata(type), objects: objects, lastKeys: last)
  }
}
