import Foundation
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores

/// Finds the reasons why an SQLite store does not open.
struct RescueDiagnosis {
  private let rescue: StoreRescue
  private let source: RescueSource
  private let choice: RescueVersion
  private let layout: BoundLayout

  init(_ rescue: StoreRescue, _ source: RescueSource, _ choice: RescueVersion, _ layout: BoundLayout) {
    (self.rescue, self.source, self.choice, self.layout) = (rescue, source, choice, layout)
  }

  /// The causes: in the file, in its metadata, then in its tables and rows.
  func causes() throws -> [RescueCause] {
    var causes: [RescueCause] = []
    if !source.damage.isEmpty { causes.append(.damage(source.damage)) }
    if let recovered = source.recovered {
      if !recovered.isWholeSchema { causes.append(.damagedSchema) }
      if let log = recovered.log, log.readable == 0, log.frames > 0 {
        causes.append(.damagedLog(frames: log.frames, readable: 0))
      }
    }
    if isLogMissing { causes.append(.missingLog(name: URL(fileURLWithPath: rescue.path + "-wal").lastPathComponent)) }
    if let error = source.metadataError { causes.append(.metadata(error.cause)) }
    if let identification = choice.identification, identification.matchedBy == nil {
      let nearest = identification.nearest
      causes.append(
        .unknownVersion(
          nearest: nearest?.version.name,
          difference: nearest.map { $0.differences.map(\.description).joined(separator: "; ") }))
    }
    if let version = source.metadata?.frameworkVersion, version > StoreCreator.frameworkVersion {
      causes.append(.newerFramework(version: version, known: StoreCreator.frameworkVersion))
    }
    return try causes + findings().map { .finding($0) }
  }

  /// Whether pages of the store were in a missing write-ahead log.
  private var isLogMissing: Bool {
    guard !source.damage.isEmpty || source.metadata == nil,
      FileStatus(StoreFiles.realPath(of: rescue.path) + "-wal") == nil,
      (try? StoreReader.usesWriteAheadLog(path: rescue.path)) == true
    else { return false }
    return true
  }

  private func findings() throws -> [StoreFinding] {
    guard source.recovered == nil, source.metadata != nil else {
      let differences = Set(layout.deviations + layout.layout.differences(from: source.snapshot))
      return differences.filter { $0.severity == .error && !$0.isIndex }.map(\.description).sorted()
        .map { StoreFinding(.schema, sentence: $0) }
    }
    let isKnown = choice.identification?.matchedBy != nil
    let verifier = StoreVerifier(
      hierarchy: choice.version.hierarchy, references: try rescue.references(for: choice.version),
      matching: RegularExpressions().matchesWhole)
    return try source.read { database in
      try verifier.problems(
        in: database, path: rescue.path, externalDataFolder: ExternalData.folder(ofStore: rescue.path))
    }.filter { $0.severity == .error && (isKnown || $0.kind != .versionHashes) }
  }
}

extension LayoutDifference {
  /// Whether the difference is about an index, which pages read separately cannot show.
  fileprivate var isIndex: Bool {
    switch self {
    case .missingIndex, .indexDefinition: true
    default: false
    }
  }
}
