import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport
import Testing

@Suite("The objects of a store as text")
struct StoreDumpTests {
  private func dump(
    _ path: String, _ model: EntityHierarchy, as form: StoreDumpFormat, entities: [String] = [],
    where predicate: String? = nil
  ) throws -> (text: String, outcome: StoreDump.Outcome) {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    var bytes: [UInt8] = []
    let outcome = try StoreDump(as: form, entities: entities, where: predicate).write(reader, of: model) { bytes += $0 }
    return (String(decoding: bytes, as: UTF8.self), outcome)
  }

  /// Holds the dump as JSON and as lines against a conversion.
  private func compare(_ path: String, _ version: LoadedVersion) throws {
    let folder = try TemporaryFolder()
    let converted = folder.path("converted.json")
    let document = try StoreConversion(version).convert(path, to: converted, kind: JSONStoreKind()).document
    let expected = try String(contentsOf: URL(fileURLWithPath: converted), encoding: .utf8)
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let dumped = folder.path("dumped.json")
    let outcome = try StoreDump(as: .json).write(reader, of: version.hierarchy, to: dumped)
    #expect(try String(contentsOf: URL(fileURLWithPath: dumped), encoding: .utf8) == expected, "\(path)")
    #expect(outcome.objects.values.reduce(0, +) == document.objects.count && outcome.outwardLinks == 0)
    reader.close()
    let lines = try dump(path, version.hierarchy, as: .jsonLines).text.split(separator: "\n")
    let expectedLines = expected.split(separator: "\n").filter { $0.hasPrefix("   {") }
    #expect(lines.count == document.objects.count && lines.count == expectedLines.count)
    for (line, expectedLine) in zip(lines, expectedLines) {
      let name = line.hasPrefix("{\"$entity\"") ? "$entity" : "entity"
      let parts = line.split(separator: ", ", maxSplits: 1)
      #expect(parts[0].hasPrefix("{\"\(name)\": \""))
      let end = ["}]}}", "}],", "},", "}"].first(where: expectedLine.hasSuffix) ?? ""
      #expect("{\(parts[1])" == "\(expectedLine.dropFirst(3).dropLast(end.count))}")
    }
  }

  @Test("JSON equals the output of a conversion, for every type and kind of link", arguments: 1...UInt64(12))
  func everyType(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let version = try DumpSamples.version()
    try DumpSamples.document(seed: seed).makeStore(at: path, version: version)
    try compare(path, version)
  }

  @Test("JSON equals the output of a conversion, for every version of the sample models")
  func samples() throws {
    let count = try DumpSamples.forEachSample(rows: 40) { try compare($0, $1) }
    #expect(count > CorpusSample.least(10, sampled: 4))
  }

  @Test(
    "JSON equals the output of a conversion, for stores of apps",
    .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    let (count, scope) = try CorpusStores.forEach(atMost: 6) { path, version, _ in try compare(path, version) }
    print("dumped: \(scope) stores")
    #expect(count >= CorpusSample.least(44, sampled: 6))
  }

  @Test("Lines name the entity, and a property of that name keeps its own")
  func lines() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try ShopModel.make(path, customers: 2, orders: 1, tags: 1, seed: 4).close()
    let model = try EntityHierarchy(ShopModel.model)
    let text = try dump(path, model, as: .jsonLines, entities: ["Tag", "Order"]).text
    #expect(text.hasPrefix(#"{"entity": "Order", "id": 1, "customer": "#))
    let samples = folder.path("samples.sqlite")
    let version = try DumpSamples.version()
    try DumpSamples.document(seed: 3).makeStore(at: samples, version: version)
    let items = try dump(samples, version.hierarchy, as: .jsonLines).text
    #expect(items.hasPrefix(#"{"$entity": "BigItem", "$id": 1, "#))
    #expect(items.contains(#"{"entity": "Owner", "id": 4, "fullName": "Owner 4"}"#))
  }

  @Test("A part keeps its links, and reports the number of links to objects outside")
  func parts() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try ShopModel.make(path, customers: 3, orders: 12, tags: 2, seed: 4).close()
    let model = try EntityHierarchy(ShopModel.model)
    let orders = try dump(path, model, as: .json, entities: ["Order"])
    #expect(orders.outcome.objects == ["Order": 12])
    let document = try JSONStoreKind().metadata(in: Data(orders.text.utf8), path: "")
    #expect(document.uuid.count == 36)
    let whole = try dump(path, model, as: .json)
    let lines = whole.text.split(separator: "\n").filter { $0.contains("\"note\"") }
    for line in lines { #expect(orders.text.contains(line.dropLast(line.hasSuffix("],") ? 2 : 1))) }
    // Twelve mandatory customers, and the tags.
    let tags = orders.text.matches(of: /"tags": \[([^\]]*)\]/).reduce(0) {
      $0 + $1.output.1.split(separator: ",").count
    }
    #expect(orders.outcome.outwardLinks == 12 + tags)
    let family = try dump(path, model, as: .jsonLines, entities: ["Customer", "Order", "Tag"]).outcome
    #expect(family.outwardLinks == 0 && family.objects["Member"] == 1)
    let some = try dump(path, model, as: .jsonLines, entities: ["Customer"], where: "email != 'c0@example.com'")
    #expect(some.text.split(separator: "\n").count == 2 && some.text.contains("\"Member\""))
    let friends = try dump(path, model, as: .jsonLines, entities: ["Tag"], where: "name == 't0'")
    let watchers = 1
    let orderLinks = friends.text.matches(of: /"orders": \[([^\]]*)\]/).reduce(0) {
      $0 + $1.output.1.split(separator: ",").count
    }
    #expect(friends.outcome.outwardLinks == 1 + watchers + orderLinks)
  }

  @Test("CSV has a file an entity, with quotes only where they are needed")
  func csv() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let version = try DumpSamples.version()
    let document = try DumpSamples.document(seed: 5)
    try document.makeStore(at: path, version: version)
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let place = folder.path("tables")
    let outcome = try StoreDump(as: .csv).write(reader, of: version.hierarchy, to: place)
    #expect(outcome.objects == ["BigItem": 8, "Item": 16, "Owner": 4])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["BigItem.csv", "Item.csv", "Owner.csv"])
    let held = Dictionary(
      uniqueKeysWithValues: try StoreDocument(storeAt: path, model: version.hierarchy).objects.map {
        ($0.id, $0.values)
      })
    for entity in ["BigItem", "Item"] {
      let rows = CSVTable(try String(contentsOf: URL(fileURLWithPath: "\(place)/\(entity).csv"), encoding: .utf8)).rows
      let names = rows[0].map(\.text)
      let own = entity == "Item" ? [] : ["aSize"]
      #expect(
        names == ["$id"] + own + [
          "blob", "day", "dbl", "dec", "entity", "flag", "flt", "i16", "i32", "i64", "id", "link", "photo",
          "place.Latitude", "place.inner.word", "text", "thing", "uid",
        ] + (entity == "Item" ? [] : ["boss"]) + ["friends", "owner", "row"])
      #expect(rows.count == outcome.objects[entity, default: 0] + 1)
      for row in rows.dropFirst() {
        let key = try #require(Int64(row[0].text))
        let values = try #require(held[RecordID(entity: entity, key: key)])
        for (name, field) in zip(names, row).dropFirst() {
          #expect(field.text == Self.csvText(name, values), "\(entity) \(key) \(name)")
          let isEmptyText = field.text.isEmpty && Self.value(name, values) != nil
          #expect(field.isQuoted == (isEmptyText || Self.needsQuotes(field.text)), "\(entity) \(key) \(name)")
        }
      }
    }
    let owners = try String(contentsOf: URL(fileURLWithPath: "\(place)/Owner.csv"), encoding: .utf8)
    #expect(owners.hasPrefix("id,fullName,items\n1,Owner 1,"))
    #expect(owners.hasSuffix("\n4,Owner 4,\n"))
  }

  private static func needsQuotes(_ text: String) -> Bool {
    text.utf8.contains { [0x2C, 0x22, 0x0A, 0x0D].contains($0) } || text.hasPrefix(" ") || text.hasSuffix(" ")
  }

  private static func value(_ path: String, _ values: [String: RecordValue]) -> RecordValue? {
    path.split(separator: ".").reduce(RecordValue?.some(.composite(values))) { value, name in
      guard case .composite(let elements)? = value else { return nil }
      return elements[String(name)]
    }
  }

  /// The text of a value by the words of the contract, not by the code that writes it.
  private static func csvText(_ path: String, _ values: [String: RecordValue]) -> String {
    func reference(_ id: RecordID) -> String { id.entity == "BigItem" ? "BigItem:\(id.key)" : "\(id.key)" }
    switch value(path, values) {
    case .attribute(.integer(let number))?: return "\(number)"
    case .attribute(.boolean(let flag))?: return "\(flag)"
    case .attribute(.decimal(let number))?: return "\(number)"
    case .attribute(.double(let number))?: return "\(number)"
    case .attribute(.string(let text))?, .attribute(.uri(let text))?: return text
    case .attribute(.binary(let data))?, .transformed(let data)?: return data.base64EncodedString()
    case .attribute(.uuid(let uuid))?: return uuid.uuidString
    case .attribute(.date)?:
      // Dates are those of the JSON form.
      guard let value = value(path, values),
        let line = try? JSONStoreKind().bytes(
          of: StoreDocument(
            metadata: DumpSamples.document(seed: 5).metadata,
            objects: [.init(id: RecordID(entity: "Item", key: 1), values: ["day": value])]),
          model: EntityHierarchy(DumpSamples.model)),
        let match = String(decoding: line, as: UTF8.self).firstMatch(of: /"day": "?([^"}]*)"?\}/)
      else { return "no date" }
      return String(match.output.1)
    case .object(let id)?: return reference(id)
    case .objects(let ids)?: return ids.map(reference).joined(separator: " ")
    default: return ""
    }
  }

  @Test("Only one side of an unordered many-to-many relationship is written, and an ordered side always")
  func sides() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try ShopModel.make(path, customers: 3, orders: 5, tags: 3, seed: 4).close()
    let model = try EntityHierarchy(ShopModel.model)
    func header(_ entity: String) throws -> String? {
      try dump(path, model, as: .csv, entities: [entity]).text.split(separator: "\n").first.map(String.init)
    }
    #expect(try header("Order") == "id,note,customer,former,next")
    #expect(try header("Tag") == "id,name,friends,orders,watchers")
    #expect(throws: DumpError.severalFiles(["Customer", "Member"])) {
      try dump(path, model, as: .csv, entities: ["Customer"])
    }
    #expect(try header("Member") == "id,age,email,number,photo,orders")
  }

  @Test("Existing files are never overwritten, and a failed dump leaves no file")
  func places() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try ShopModel.make(path, customers: 3, orders: 5, tags: 3, seed: 4).close()
    let model = try EntityHierarchy(ShopModel.model)
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    for form in [StoreDumpFormat.json, .jsonLines, .csv, .sql(.sqlite), .sql(.postgresql)] {
      #expect(throws: DumpError.exists(path: path)) { try StoreDump(as: form).write(reader, of: model, to: path) }
      #expect(throws: StoreCreationError.folder(path: folder.path("no/where"))) {
        try StoreDump(as: form).write(reader, of: model, to: folder.path("no/where"))
      }
      for number in 1...40 {
        let place = folder.path("out")
        let files = FailingFiles(at: number)
        do {
          _ = try StoreDump(as: form).write(reader, of: model, to: place, files)
          #expect(number > 3 && !files.hasFailed)
          try FileManager.default.removeItem(atPath: place)
          break
        } catch let error as StoreError {
          #expect(error == .diskFull(path: place))
          if FileManager.default.fileExists(atPath: place) {
            // The last step failed, when the dump had its name already.
            try FileManager.default.removeItem(atPath: place)
          }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before, "\(form)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before, "\(form)")
    }
  }

  @Test("Entities and predicates that cannot be, and rows that no dump can show")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try ShopModel.make(path, customers: 3, orders: 5, tags: 3, seed: 4).close()
    let model = try EntityHierarchy(ShopModel.model)
    #expect(throws: DumpError.unknownEntity("Ordr", near: ["Order"])) {
      try dump(path, model, as: .json, entities: ["Ordr"])
    }
    #expect(throws: DumpError.severalEntities(2)) {
      try dump(path, model, as: .json, entities: ["Order", "Tag"], where: "note == nil")
    }
    #expect(throws: DumpError.partInSQL(path: path, entities: ["Order"], predicate: nil)) {
      try dump(path, model, as: .sql(.sqlite), entities: ["Order"])
    }
    let samples = folder.path("samples.sqlite")
    let version = try DumpSamples.version()
    try DumpSamples.document(seed: 3).makeStore(at: samples, version: version)
    #expect(throws: DumpError.nothingToDump(["Nothing"])) {
      try dump(samples, version.hierarchy, as: .json, entities: ["Nothing"])
    }
    let support = folder.path(".samples_SUPPORT/_EXTERNAL_DATA")
    for file in try FileManager.default.contentsOfDirectory(atPath: support) {
      try FileManager.default.removeItem(atPath: "\(support)/\(file)")
    }
    #expect(throws: DumpError.self) { try dump(samples, version.hierarchy, as: .jsonLines) }
  }
}

/// File operations of which the one of a number finds the disk full.
private final class FailingFiles: FileOperations {
  private let count: Guarded<Int>
  private let failing: Int

  init(at number: Int) { (count, failing) = (Guarded(0), number) }

  var hasFailed: Bool { count.withLock { $0 >= failing } }

  private func step() throws(FileError) {
    let isFailing = count.withLock { count in
      count += 1
      return count == failing
    }
    if isFailing { throw FileError(code: ENOSPC) }
  }

  func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity {
    try step()
    return try SystemFiles().create(path, like: model)
  }
  func createFolder(_ path: String, like model: String?) throws(FileError) {
    try step()
    try SystemFiles().createFolder(path, like: model)
  }
  func write(_ data: Data, to path: String, like model: String?) throws(FileError) {
    try step()
    try SystemFiles().write(data, to: path, like: model)
  }
  func append(_ data: Data, to path: String) throws(FileError) {
    try step()
    try SystemFiles().append(data, to: path)
  }
  func link(_ path: String, to name: String) throws(FileError) {
    try step()
    try SystemFiles().link(path, to: name)
  }
  func rename(_ path: String, to name: String) throws(FileError) {
    try step()
    try SystemFiles().rename(path, to: name)
  }
  func remove(_ path: String) throws(FileError) { try SystemFiles().remove(path) }
  func synchronize(_ path: String) throws(FileError) {
    try step()
    try SystemFiles().synchronize(path)
  }
}
