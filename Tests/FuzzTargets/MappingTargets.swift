import Foundation
import MappingModels
import ModelChecks
import ModelDescription
import ModelFiles
import PersistentStores
import Reports
import StoreMigration

/// The doors that mapping models come in by.
enum MappingTargets {
  static func document(_ data: Data) throws {
    let file = try MappingFile(data, path: "v3-v4.xml")
    let (source, destination) = (try FuzzSamples.order(3), try FuzzSamples.order(4))
    let (model, undecided) = try file.resolvedAsFarAsPossible(from: source.hierarchy, to: destination.hierarchy)
    _ = undecided.map { "\($0)" }
    try work(model, from: source, to: destination)
    guard undecided.isEmpty else { return }
    let text = MappingFileWriter.text(
      of: model, from: source.hierarchy, to: destination.hierarchy, sourceVersion: "v4", destinationVersion: "v5")
    let again: MappingModel
    do {
      again = try MappingFile(Data(text.utf8), path: "again.xml")
        .resolved(from: source.hierarchy, to: destination.hierarchy)
    } catch {
      throw FuzzFinding("what is written of a mapping cannot be read: \(error)\n\(text)")
    }
    try FuzzFinding.expect(
      again.entityMappings.count == model.entityMappings.count, "a mapping that is written and read is another")
  }

  static func xcode(_ data: Data) throws {
    let file = try XcodeMappingModel(data, path: "Old.xcmappingmodel")
    for snapshot in [file.source, file.destination] {
      _ = MigrationVersionText.text(of: snapshot)
    }
    let source = try LoadedVersion(bundle: "M", name: "source", isCurrent: false, model: file.source.model)
    let destination = try LoadedVersion(
      bundle: "M", name: "destination", isCurrent: true, model: file.destination.model)
    let compilation = try file.compilation()
    _ = compilation.notes.map { "\($0)" }
    _ = try file.drift(source: source.hierarchy, destination: destination.hierarchy)
    try work(compilation.mapping, from: source, to: destination)
  }

  /// Runs `mapping show`, `mapping check` and `plan` between two sample versions.
  static func work(_ mapping: MappingModel) throws {
    try work(mapping, from: FuzzSamples.order(3), to: FuzzSamples.order(4))
  }

  private static func work(
    _ mapping: MappingModel, from source: LoadedVersion, to destination: LoadedVersion
  ) throws {
    let report = MappingReport(path: "mapping", source: source.name, destination: destination.name, mapping)
    _ = try report.text + JSONText.encode(report)
    let problems = mapping.findings(from: source.hierarchy, to: destination.hierarchy)
    _ = problems.map { "\($0)" }
    _ = try Finding.snippets(in: mapping, from: source.hierarchy) { _, _ in nil }
    _ = MappingFileWriter.text(
      of: mapping, from: source.hierarchy, to: destination.hierarchy, sourceVersion: "a", destinationVersion: "b")
    let known = KnownMapping(path: "mapping", source: source, destination: destination, model: mapping)
    _ = try PathPartForecast(of: PathPart(from: source, to: destination, by: known))
  }
}

/// Runs `mapping show` for a model that a mapping model contains.
private enum MigrationVersionText {
  static func text(of snapshot: MappingModelSnapshot) -> String {
    CompleteModelText(snapshot.model).text + snapshot.versionName
  }
}
