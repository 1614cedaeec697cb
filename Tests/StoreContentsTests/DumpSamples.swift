import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport

/// Stores that are dumped in tests, with attributes of every type and links of every kind.
enum DumpSamples {
  static let model = EveryTypeModel.model(
    types: EveryTypeModel.types.filter { $0.0 != "any" } + [("entity", .string), ("id", .integer64)],
    adding: [
      AttributeDescription(name: "photo", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true)
    ],
    ordersItems: true)

  private static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> RecordValue {
    func pick<Value>(_ values: [Value], else other: Value) -> Value { values.randomElement(using: &random) ?? other }
    let bits = Double(bitPattern: random.next())
    let real = bits.isFinite ? bits : 0.5
    let bytes = Data((0..<Int.random(in: 0...50, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    let texts = [
      "", "a", " x ", "NaN", "<&>\"'", "é\r\n\t😀", "\u{1}\u{7F}\u{2028}", "a,b", "\\", "\u{0}a", "Ж\"\"", "'",
    ]
    switch type {
    case .integer16: return .attribute(.integer(Int64(Int16.random(in: .min ... .max, using: &random))))
    case .integer32: return .attribute(.integer(Int64(Int32.random(in: .min ... .max, using: &random))))
    case .integer64:
      return .attribute(.integer(pick([.min, .max, 1 << 53, (1 << 53) + 1, -7, 0], else: 0)))
    case .decimal:
      let numbers = ["0", "80.00", "-0.1", "1e25", "-1e-7", "1234567.875", "0.0012", "12345678901234567", "99999.99"]
      return .attribute(.decimal(Decimal(string: pick(numbers, else: "1")) ?? 1))
    case .double: return .attribute(.double(pick([real, 0.1, -0.0, 1e300, .infinity, 5, 1e16, -12.5], else: 0)))
    case .float: return .attribute(.double(pick([Double(Float(19.6)), 16_777_217, 0.25, 1e-40], else: 0)))
    case .string: return .attribute(.string(pick(texts, else: "")))
    case .boolean: return .attribute(.boolean(Bool.random(using: &random)))
    case .date:
      let moment = Double.random(in: -3e9...3e9, using: &random)
      return .attribute(
        .date(pick([445_103_622.25, moment, moment.rounded(), real, 0, -1e-30, 123_456_789.123456789, 3e11], else: 0)))
    case .binary: return .attribute(.binary(bytes))
    case .uuid: return .attribute(.uuid(UUID()))
    case .uri: return .attribute(.uri("https://example.org/?a=1&b=" + pick(texts, else: "").filter { $0 == "a" }))
    case .transformable: return .transformed(bytes)
    case .composite:
      return pick(
        [
          .composite(["Latitude": 1.5]), .null,
          .composite(["Latitude": -0.25, "inner": .composite(["word": .attribute(.string(pick(texts, else: "")))])]),
        ], else: .null)
    case .undefined, .objectID, .unrecognized: return .null
    }
  }

  /// A document with random values of every type.
  static func document(seed: UInt64) throws -> StoreDocument {
    var random = SeededGenerator(seed: seed)
    let hierarchy = try EntityHierarchy(model)
    let items = (0..<24).map { RecordID(entity: $0 % 3 == 0 ? "BigItem" : "Item", key: 1 + Int64($0) * 2) }
    let owners = (0..<4).map { RecordID(entity: "Owner", key: 1 + Int64($0)) }
    var held: [RecordID: [RecordID]] = [:]
    var friends: [RecordID: Set<RecordID>] = [:]
    var objects: [StoreDocument.Object] = []
    for id in items {
      var values: [String: RecordValue] = [:]
      for (name, declared) in hierarchy.allAttributes(of: id.entity).sorted(by: { $0.key < $1.key })
      where !declared.property.isTransient && Int.random(in: 0...3, using: &random) > 0 {
        values[name] = value(declared.property.type, &random)
      }
      if id.key == 3 {
        values["photo"] = .attribute(.binary(Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })))
      }
      if let owner = owners.dropLast().randomElement(using: &random) {
        values["owner"] = .object(owner)
        held[owner, default: []].append(id)
      }
      for friend in items.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
        friends[id, default: []].insert(friend)
        friends[friend, default: []].insert(id)
      }
      if id.entity == "BigItem" { values["boss"] = items.randomElement(using: &random).map { .object($0) } }
      objects.append(StoreDocument.Object(id: id, values: values))
    }
    for (position, id) in items.enumerated() {
      objects[position].values["friends"] = friends[id].map { .objects($0.sorted { $0.key < $1.key }) }
    }
    let first = items[0]
    objects[0].values["row"] = .objects([items[5], items[2], items[9]])
    objects[0].values["boss"] = .object(first)
    for owner in owners {
      var values: [String: RecordValue] = ["fullName": .attribute(.string("Owner \(owner.key)"))]
      values["items"] = held[owner].map { .objects($0.shuffled(using: &random)) }
      objects.append(StoreDocument.Object(id: owner, values: values))
    }
    let metadata = StoreMetadata(
      uuid: "9ECD24C8-A2FC-49F1-A4F6-D9A513D12374", versionHashes: try version().versionHashes, identifiers: ["v"],
      entries: ["app": .dictionary(["list": .array([.string("a\"ü\n"), .integer(-7)])])])
    return StoreDocument(metadata: metadata, objects: objects, lastKeys: seed % 2 == 0 ? ["Owner": 90] : [:])
  }

  static func version() throws -> LoadedVersion {
    try LoadedVersion(bundle: "the model", name: "1", isCurrent: true, model: model)
  }

  /// Stores of all versions of the sample models, filled with generated rows.
  static func forEachSample(rows: Int, _ body: (String, LoadedVersion) throws -> Void) throws -> Int {
    var count = 0
    for name in ["Orders", "Todo", "Family", "Staff", "Company"] {
      let bundles = ModelBundle.discover(under: SampleModels.path(name))
      for version in CorpusSample.of(LoadedVersion.load(from: bundles).versions, atMost: 1) {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        try StoreCreator(of: version.hierarchy).create(
          at: path, filling: SyntheticRows(seed: UInt64(count) + 3, rowsPerEntity: rows))
        try body(path, version)
        count += 1
      }
    }
    return count
  }
}
