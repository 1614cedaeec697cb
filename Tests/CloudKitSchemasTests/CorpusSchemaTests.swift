import CloudKitSchemas
import Foundation
import TestSupport
import Testing

@Suite("The schemas of the corpus", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusSchemaTests {
  @Test("A model and its export differ as the corpus says, row for row", arguments: CloudKitPair.all)
  func pairs(_ pair: CloudKitPair) throws {
    let (model, export) = (try pair.model, try pair.export)
    let rows = CloudKitPair.rows(model, export, others: try pair.otherTypes)
    let expected = try pair.expected
    #expect(rows.subtracting(expected).sorted() == [], "not expected")
    #expect(expected.subtracting(rows).sorted() == [], "missing")
    #expect(model.conflicts == [])
    let fields = model.recordTypes.flatMap(\.fields).count { $0.isRequired }
    print("\(pair.testDescription): \(model.recordTypes.count) record types, \(fields) fields, \(rows.count) rows")
  }

  @Test("A text as CloudKit writes it comes back byte for byte")
  func rendering() throws {
    var equal: [String] = []
    for url in CloudKitPair.exports {
      let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      if try CloudKitPair.schema(of: text).description == text {
        equal.append(url.pathComponents.suffix(2).joined(separator: "/"))
      } else {
        // Some are edited or written by hand.
        let schema = try CloudKitPair.schema(of: text)
        #expect(try CloudKitPair.schema(of: schema.description).description == schema.description, "\(url.path)")
      }
    }
    print("\(equal.count) of \(CloudKitPair.exports.count) exports come back byte for byte")
    #expect(equal.count * 2 > CloudKitPair.exports.count)
  }

  @Test("The incidents: each version lacks in its container what its users lost")
  func incidents() throws {
    let folders = Set(CloudKitPair.exports.map { $0.deletingLastPathComponent() })
      .filter { $0.deletingLastPathComponent().lastPathComponent == "incidents" }
    for folder in folders.sorted(by: { $0.path < $1.path }) {
      let text = try String(contentsOf: folder.appendingPathComponent("export.ckdb"), encoding: .utf8)
      let export = try CloudKitPair.schema(of: text)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasSuffix("xcdatamodel")
      }
      let models = try Dictionary(
        uniqueKeysWithValues: names.map { name in
          (name.prefix { $0 != "." }, try CloudKitPair.model(at: folder.appendingPathComponent("\(name)/contents")))
        })
      if let before = models["before"], let after = models["after"] {
        #expect(SchemaComparison(before, with: export).isComplete)
        let fields = SchemaComparison(after, with: export).missingFields.flatMap(\.fields)
        #expect(fields.count == 1 && fields[0].type.isEncrypted, "\(folder.lastPathComponent): \(fields)")
      } else {
        // Nothing was ever deployed; a later version lacks fields in the schema of an earlier one too.
        for model in models.values { #expect(SchemaComparison(model, with: export).missingTypes == model.recordTypes) }
        let first = try #require(models["v1"])
        #expect(first.recordTypes.count == 2)
        let later = SchemaComparison(try #require(models["v4"]), with: first.schema(unproved: true))
        #expect(later.missingFields.flatMap(\.fields).count == 6, "\(later.missingFields)")
      }
      print("\(folder.lastPathComponent): \(models.count) models")
    }
  }

  @Test("A merge adds what is missing and nothing else", arguments: CloudKitPair.all)
  func merging(_ pair: CloudKitPair) throws {
    let (model, text) = (try pair.model, try pair.text)
    let export = try pair.export
    let whole = model.schema(unproved: true)
    let merged = whole.merged(into: text, of: export)
    let read = try CloudKitPair.schema(of: merged)
    let comparison = SchemaComparison(model, with: read)
    #expect(comparison.missingTypes.isEmpty && comparison.missingFields.isEmpty && comparison.withoutEntityName.isEmpty)
    #expect(SchemaShrinkage(from: export, to: read).losses.isEmpty)
    #expect(whole.merged(into: merged, of: read) == merged)
    // What one type or one field less lacks comes back as it was.
    guard export.description == text else { return }
    for type in model.recordTypes where export.recordType(type.name) != nil {
      var less = export
      less.recordTypes.removeAll { $0.name == type.name }
      guard less.recordTypes.count > 0, let own = export.recordType(type.name) else { continue }
      let only = CloudKitSchema(recordTypes: [own])
      #expect(only.merged(into: less.description, of: less) == text, "\(type.name)")
    }
  }

  @Test("A removed or retyped line of an export is found, and every other edit is silent")
  func randomEdits() throws {
    var random = SeededGenerator(seed: CorpusSample.seed)
    let pairs = CloudKitPair.all.filter { !$0.folder.path.contains("handwritten") }
    var counts: [String: Int] = [:]
    for _ in 0..<200 {
      let pair = try #require(pairs.randomElement(using: &random))
      let (model, export) = (try pair.model, try pair.export)
      let before = SchemaComparison(model, with: export)
      var edited = export
      let candidates = edited.recordTypes.indices.flatMap { type in
        edited.recordTypes[type].fields.indices.filter { position in
          let name = edited.recordTypes[type].fields[position].name
          return model.recordType(edited.recordTypes[type].name)?.fields.contains {
            $0.name == name && $0.role == .property
          } ?? false
        }.map { (type, $0) }
      }
      let (type, position) = try #require(candidates.randomElement(using: &random))
      let field = edited.recordTypes[type].fields[position]
      let name = edited.recordTypes[type].name
      let edit =
        ["removed", "retyped", "indexes", "order", "grants", "role", "spaces"].randomElement(using: &random) ?? ""
      switch edit {
      case "removed": edited.recordTypes[type].fields.remove(at: position)
      case "retyped": edited.recordTypes[type].fields[position].type = .init(.location)
      case "indexes": edited.recordTypes[type].fields[position].indexes.shuffle(using: &random)
      case "order": edited.recordTypes.shuffle(using: &random)
      case "grants": edited.recordTypes[type].grants.removeAll()
      case "role": edited.roles.append("Editor")
      default: break
      }
      counts[edit, default: 0] += 1
      let written = edit == "spaces" ? export.description.replacing(" ", with: " \t ") : edited.description
      let after = SchemaComparison(model, with: try CloudKitPair.schema(of: written))
      let lost = Set(
        after.missingFields.flatMap { missing in missing.fields.map { "\(missing.recordType.name).\($0.name)" } }
      )
      .subtracting(
        before.missingFields.flatMap { missing in missing.fields.map { "\(missing.recordType.name).\($0.name)" } })
      let retyped = Set(after.retyped.map { "\($0.recordType).\($0.field.name)" })
        .subtracting(before.retyped.map { "\($0.recordType).\($0.field.name)" })
      #expect(lost == (edit == "removed" ? ["\(name).\(field.name)"] : []), "\(pair.testDescription): \(edit)")
      #expect(retyped == (edit == "retyped" ? ["\(name).\(field.name)"] : []), "\(pair.testDescription): \(edit)")
      let shrunk = SchemaShrinkage(from: export, to: try CloudKitPair.schema(of: written)).losses
      #expect(shrunk.map(\.field?.name) == (["removed", "retyped"].contains(edit) ? [field.name] : []), "\(edit)")
    }
    print("200 edits: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))")
  }
}
