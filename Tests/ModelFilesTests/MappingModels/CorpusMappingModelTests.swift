import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Reads and compiles every mapping model of the corpus.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusMappingModelTests {
  @Test func everyMappingModelSaysWhatTheListSays() throws {
    let entries = try ListEntry.all()
    var forms: [String: Int] = [:]
    for entry in entries {
      let file = try CorpusMappingModels.named(entry.name).file
      let compiled = try file.compiled()
      #expect(file.source.versionPath.hasSuffix(entry.source), "\(entry.name)")
      #expect(file.destination.versionPath.hasSuffix(entry.destination), "\(entry.name)")
      #expect(file.entityMappings.count == entry.entityMappings, "\(entry.name)")
      #expect(compiled.entityMappings.count == entry.entityMappings, "\(entry.name)")
      #expect(Set(file.entityMappings.compactMap(\.policyClassName)).count == entry.policyClasses, "\(entry.name)")
      let found = WrittenForms.counts(in: file)
      #expect(found == entry.forms, "\(entry.name)")
      for (form, count) in found { forms[form, default: 0] += count }
    }
    print("mapping models: \(entries.count), entity mappings \(entries.map(\.entityMappings).reduce(0, +))")
    for (form, count) in forms.sorted(by: { $0.key < $1.key }) { print("   \(form) ×\(count)") }
    #expect(entries.count == 45)
  }

  @Test func everyMappingModelIsCompiledByTheRules() throws {
    var kinds: [EntityMapping.Kind: Int] = [:]
    var values: [String: Int] = [:]
    var notes: [String] = []
    for entry in try ListEntry.all() {
      let file = try CorpusMappingModels.named(entry.name).file
      let compilation = try file.compilation()
      for note in file.notes + compilation.notes { notes.append("\(entry.name): \(note.sentence)") }
      for mapping in compilation.mapping.entityMappings {
        kinds[mapping.kind, default: 0] += 1
        #expect((mapping.sourceVersionHash == nil) == (mapping.source == nil), "\(entry.name) \(mapping.name)")
        #expect((mapping.destinationVersionHash == nil) == (mapping.destination == nil), "\(entry.name)")
        for property in mapping.attributeMappings {
          values[property.value == .unset ? "attribute unset" : "attribute expression", default: 0] += 1
        }
        for property in mapping.relationshipMappings {
          values[property.value == .unset ? "relationship unset" : "relationship expression", default: 0] += 1
        }
        let names = mapping.attributeMappings.map(\.name)
        #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "\(entry.name)")
      }
    }
    print("kinds: \(kinds), values: \(values), notes: \(notes.count)")
    for note in notes { print("   ", note) }
    #expect(kinds[.copy] ?? 0 > 300)
    #expect(kinds[.custom] ?? 0 > 20)
  }

  /// The one pair of which the corpus holds what Apple's compiler made.
  @Test func compiledFromXMLEqualsWhatAppleCompiled() throws {
    let entry = try CorpusMappingModels.named("alemar11+CoreDataPlus/V2toV3")
    let file = entry.file
    let url = entry.folder.appendingPathComponent("V2toV3.cdm")
    let archive = try CompiledMappingReader(try Data(contentsOf: url), path: url.path)
    let apple = try CompiledMappingReader.read(fileAt: url.path)
    let ours = try file.compiled()
    #expect(ours == apple.mapping)
    #expect(ours.entityMappings.count == 5)
    for (ours, apple) in zip(ours.entityMappings, apple.mapping.entityMappings) {
      #expect(ours == apple)
    }
    for mapping in ours.entityMappings {
      #expect(mapping.sourceExpression == archive.sourceExpressions[mapping.name], "\(mapping.name)")
      #expect(mapping.sourceVersionHash == mapping.source.flatMap { file.source.hashes.entities[$0] })
      #expect(mapping.destinationVersionHash == mapping.destination.flatMap { file.destination.hashes.entities[$0] })
    }
    #expect(archive.sourceExpressions.count == 4)
    #expect(archive.compilation == apple)
    #expect(apple.notes.isEmpty)
    #expect(ours.entityMappings.map(\.kind) == [.custom, .custom, .copy, .custom, .add])
    let properties = ours.entityMappings.map { $0.attributeMappings.count + $0.relationshipMappings.count }
    print("entity mappings equal to Apple's: \(ours.entityMappings.count), property mappings \(properties)")
  }
}

/// A line of the corpus's list of mapping models.
private struct ListEntry {
  var name: String
  var source: String
  var destination: String
  var forms: [String: Int]
  var entityMappings: Int
  var policyClasses: Int

  static func all() throws -> [ListEntry] {
    let list = try #require(Corpus.folder).appendingPathComponent("mapping-models/LIST.tsv")
    let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropFirst()
    return try lines.map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(cells.count == 6)
      return ListEntry(
        name: cells[0], source: cells[1], destination: cells[2], forms: try forms(cells[3]),
        entityMappings: try #require(Int(cells[4])), policyClasses: try #require(Int(cells[5])))
    }
  }

  private static func forms(_ cell: String) throws -> [String: Int] {
    guard cell != "(generated only)" else { return [:] }
    var forms: [String: Int] = [:]
    for part in cell.components(separatedBy: "; ") {
      let mark = try #require(part.range(of: " x", options: .backwards))
      let count = try #require(Int(String(part[mark.upperBound...])), "\(part)")
      forms[String(part[..<mark.lowerBound])] = count
    }
    return forms
  }
}

/// The forms of what authors wrote, in the words of the list.
private enum WrittenForms {
  static func counts(in file: XcodeMappingModel) -> [String: Int] {
    var counts: [String: Int] = [:]
    for mapping in file.entityMappings {
      for property in mapping.attributeMappings {
        if let form = form(of: property.expression) { counts[form, default: 0] += 1 }
      }
      for property in mapping.relationshipMappings {
        if let form = form(of: property.expression) {
          counts["rel " + form, default: 0] += 1
        } else if property.sourceKeyPath != nil || property.sourceMappingName != nil {
          let (keyPath, name) = (property.sourceKeyPath, property.sourceMappingName)
          let form =
            "rel generated from key path \(keyPath == nil ? "unset" : "set")"
            + " + mapping name \(name == nil ? "unset" : "set")"
          counts[form, default: 0] += 1
        }
      }
    }
    return counts
  }

  private static func form(of expression: ArchivedExpression?) -> String? {
    guard let expression else { return nil }
    guard case .readable(let value) = expression else { return "unreadable" }
    switch value {
    case .constant(.boolean): return "constant boolean"
    case .constant(.string): return "constant string"
    case .constant: return "constant number"
    case .keyPath(let keys, of: .variable("source")):
      return keys.count == 1 ? "$source.a" : "$source.a.b (key path, depth \(keys.count))"
    case .invocation(of: .variable("entityPolicy"), _, let arguments):
      return "FUNCTION($entityPolicy, sel, …\(arguments.count) arg)"
    case .invocation(of: .variable("manager"), let selector, _): return "FUNCTION($manager, \"\(selector)\", …)"
    default: return "another"
    }
  }
}
