import MappingModels
import ModelFiles
import VersionHashing

/// The Swift source of a staged migration, for use in an app.
public struct StagedMigrationCode: Hashable, Sendable {
  /// The source text.
  public let text: String

  /// Writes the source.
  ///
  /// - Parameter bundle: the name of the model bundle, as in `Bundle@version`.
  public init(_ migration: StagedMigration, bundle: String) {
    let writer = StagedMigrationWriter(migration: migration, stages: migration.stages, bundle: bundle)
    text = writer.lines.joined(separator: "\n") + "\n"
  }
}

/// Writes the lines of a staged migration.
private struct StagedMigrationWriter {
  let migration: StagedMigration
  let stages: [StagedMigration.Stage]
  let bundle: String

  var lines: [String] {
    let names = migration.versions.map(\.name)
    var lines = ["import CoreData", ""]
    let ends = "\(names.first ?? "") to \(names.last ?? "")"
    lines += ["/// Migrates stores of \(comment(bundle)) from \(comment(ends)), one stage after the other."]
    lines += losses
    lines += ["@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)"]
    lines += ["func stagedMigrationManager(in bundle: Bundle) -> NSStagedMigrationManager {"]
    lines += referenced.flatMap(reference)
    lines += ["  var stages: [NSMigrationStage] = []"]
    for (position, stage) in stages.enumerated() { lines += self.stage(stage, number: position + 1) }
    lines += ["  return NSStagedMigrationManager(stages)", "}"]
    return lines
  }

  /// The source and destination versions of custom stages.
  private var referenced: [LoadedVersion] {
    let ends = stages.flatMap { stage in
      switch stage {
      case .lightweight: [] as [String]
      case .custom(let mapping): [mapping.source.name, mapping.destination.name]
      case .cut(let cut): [cut.source.name, cut.destination.name]
      }
    }
    return migration.versions.filter { ends.contains($0.name) }
  }

  /// The losses of the steps, which Core Data does not report.
  private var losses: [String] {
    let lines = migration.losses.flatMap { step in
      step.losses.map { loss in
        "/// - \(comment(step.source.name)) to \(comment(step.destination.name)): \(comment(loss.sentence))."
      }
    }
    return lines.isEmpty ? [] : ["///", "/// Core Data deletes this data without a warning:"] + lines
  }

  private func reference(_ version: LoadedVersion) -> [String] {
    [
      "  let \(identifier(version)) = NSManagedObjectModelReference(",
      "    name: \(literal(version.name)), in: bundle, versionChecksum: \(literal(version.versionHashes.checksum)))",
    ]
  }

  private func stage(_ stage: StagedMigration.Stage, number: Int) -> [String] {
    switch stage {
    case .lightweight(let versions):
      let label = versions.map(\.name).joined(separator: ", ")
      return ["  // \(comment(label)): inferred.", "  stages.append(", "    NSLightweightMigrationStage(["]
        + versions.map { "      \(literal($0.versionHashes.checksum)),  // \(comment($0.name))" } + ["    ]))"]
    case .custom(let mapping):
      let label = "\(mapping.source.name) to \(mapping.destination.name)"
      let words = "put the work of \(comment(mapping.path)) into willMigrateHandler and didMigrateHandler."
      return ["  // \(comment(label)): \(words)"] + custom(mapping.source, mapping.destination, number)
    case .cut(let cut):
      let (label, straight) = ("\(cut.source.name) to \(cut.destination.name)", "\(cut.start.name) to \(cut.end.name)")
      return [
        "  // \(comment(label)): an empty stage, because \(comment(straight)) cannot be inferred:",
        "  // \(comment("\(cut.reason.element)")): \(comment(cut.reason.reason)).",
        "  // Core Data infers a run of lightweight stages directly, from the first version to the last;",
        "  // see developer.apple.com/forums/thread/804902.",
      ] + custom(cut.source, cut.destination, number)
    }
  }

  private func custom(_ source: LoadedVersion, _ destination: LoadedVersion, _ number: Int) -> [String] {
    let name = "stage\(number)"
    return [
      "  let \(name) = NSCustomMigrationStage(",
      "    migratingFrom: \(identifier(source)), to: \(identifier(destination)))",
      "  \(name).label = \(literal("\(source.name) to \(destination.name)"))",
      "  stages.append(\(name))",
    ]
  }

  private func identifier(_ version: LoadedVersion) -> String {
    let position = migration.versions.firstIndex { $0.name == version.name } ?? 0
    let letters = version.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return "version\(position + 1)_\(String(letters))"
  }

  private func literal(_ text: String) -> String { SwiftLiteral.string(text) }

  private func comment(_ text: String) -> String { SwiftLiteral.comment(text) }
}
