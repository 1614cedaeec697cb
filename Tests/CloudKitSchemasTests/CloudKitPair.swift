import CloudKitSchemas
import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

/// A model of the corpus with the schema of its container.
struct CloudKitPair: CustomTestStringConvertible, Sendable {
  let folder: URL

  var testDescription: String { folder.lastPathComponent }

  /// The pairs of the corpus, those that were written by hand among them.
  static let all: [CloudKitPair] = Corpus.files(in: "cloudkit") { $0 == "expected.tsv" }
    .map { CloudKitPair(folder: $0.deletingLastPathComponent()) }

  /// The exports, pairs or not.
  static let exports = Corpus.files(in: "cloudkit") { $0.hasSuffix(".ckdb") }

  var text: String {
    get throws { String(decoding: try Data(contentsOf: folder.appendingPathComponent("export.ckdb")), as: UTF8.self) }
  }

  var export: CloudKitSchema {
    get throws { try Self.schema(of: text) }
  }

  static func schema(of text: String) throws -> CloudKitSchema {
    let (schema, faults) = CloudKitSchema.read(Array(text.utf8), path: "export.ckdb")
    #expect(faults == [])
    return schema
  }

  /// The schema of the models of the container.
  var model: MirroredSchema {
    get throws { try Self.model(at: folder.appendingPathComponent("Model.xcdatamodel/contents")) }
  }

  static func model(at url: URL) throws -> MirroredSchema {
    MirroredSchema(of: try EntityHierarchy(ContentsReader.read(fileAt: url.path).model))
  }

  /// The names of types that a second model of the container fills.
  var otherTypes: Set<String> {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return Set(
        try names.filter { $0.hasPrefix("extra-") }.flatMap { name in
          try Self.model(at: folder.appendingPathComponent(name)).recordTypes.map(\.name)
        })
    }
  }

  /// The rows of `expected.tsv`, without their reasons.
  var expected: Set<String> {
    get throws {
      let text = try String(contentsOf: folder.appendingPathComponent("expected.tsv"), encoding: .utf8)
      return Set(
        text.split(separator: "\n").dropFirst().map { row in
          row.split(separator: "\t", omittingEmptySubsequences: false).prefix(3).joined(separator: "\t")
        })
    }
  }

  /// The differences in the form of `expected.tsv`.
  static func rows(_ model: MirroredSchema, _ export: CloudKitSchema, others: Set<String> = []) -> Set<String> {
    let comparison = SchemaComparison(model, with: export)
    var rows: Set<String> = []
    for type in comparison.missingTypes { rows.insert("type missing in export\t\(type.name)\t") }
    for missing in comparison.missingFields {
      for field in missing.fields {
        rows.insert("missing in export\t\(missing.recordType.name).\(field.name)\t\(field.type)")
      }
    }
    for type in comparison.withoutEntityName { rows.insert("missing in export\t\(type.name).CD_entityName\tSTRING") }
    for other in comparison.retyped {
      rows.insert(
        "type differs\t\(other.recordType).\(other.field.name)\t\(other.exported.type), predicted \(other.field.type)")
    }
    for type in comparison.idleTypes where !others.contains(type.name) {
      rows.insert("type extra in export\t\(type.name)\t\(type.fields.count) fields")
    }
    for name in comparison.idleFields {
      let parts = name.split(separator: ".").map(String.init)
      if let field = export.recordType(parts[0])?.field(parts[1]) {
        rows.insert("extra in export\t\(name)\t\(field.type)")
      }
    }
    for type in model.recordTypes {
      for field in type.fields {
        guard let found = export.recordType(type.name)?.field(field.name), found.type == field.type,
          found.indexes != field.type.usualIndexes
        else { continue }
        func words(_ indexes: [CloudKitSchema.Index]) -> String {
          indexes.isEmpty ? "none" : indexes.map(\.rawValue).joined(separator: " ")
        }
        rows.insert(
          "index words\t\(type.name).\(field.name)\t\(words(found.indexes)), predicted \(words(field.type.usualIndexes))"
        )
      }
    }
    return rows
  }
}
