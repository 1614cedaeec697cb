import Foundation
import PersistentStores

/// Migrates synthetic stores of old versions on every path there is, checks each, and holds the results together.
public struct Rehearsal: Sendable {
  /// What is rehearsed.
  public let request: RehearsalRequest
  private let matrix: MigrationMatrix
  private let routes: MigrationRoutes
  private let now: Double

  /// Prepares a rehearsal.
  public init(_ request: RehearsalRequest) {
    self.request = request
    matrix = MigrationMatrix(of: request.versions, mappings: request.mappings, unusable: request.unusable)
    routes = MigrationRoutes(mappings: request.mappings, unusable: request.unusable)
    now = Date().timeIntervalSinceReferenceDate
  }

  /// Rehearses every version in turn.
  ///
  /// - Parameters:
  ///   - isInterrupted: asked often; true ends it.
  ///   - report: told how far it is.
  /// - Returns: what came of each version, in their order.
  /// - Throws: `StoreError.interrupted` and `StoreCreationError`, and what the file system throws.
  public func run(
    isInterrupted: (@Sendable () -> Bool)? = nil, report: (RehearsalProgress) -> Void = { _ in }
  ) throws -> [RehearsedVersion] {
    var rehearsed: [RehearsedVersion] = []
    for (position, source) in request.sources.enumerated() {
      let folder = URL(fileURLWithPath: request.folder).appendingPathComponent(Self.folderName(source.name, position))
      rehearsed.append(
        try rehearse(source, in: folder, isInterrupted: isInterrupted) { path in
          report(
            RehearsalProgress(
              source: source.name, position: position + 1, count: request.sources.count, path: path))
        })
      if !request.keepsStores { try? FileManager.default.removeItem(at: folder) }
    }
    return rehearsed
  }

  /// A folder's name that no version's name leads out of.
  private static func folderName(_ version: String, _ position: Int) -> String {
    let plain = version.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
    return "\(position + 1)-\(String(plain))"
  }

  private func rehearse(
    _ source: KnownVersion, in folder: URL, isInterrupted: (@Sendable () -> Bool)?,
    report: (RehearsedVersion.Path?) -> Void
  ) throws -> RehearsedVersion {
    let verdict = matrix.verdict(from: source, to: request.destination)
    var version = RehearsedVersion(
      source: source.name, destination: request.destination.name, kind: verdict?.kind ?? .impossible)
    guard let verdict, verdict.isReachable else {
      version.obstacle =
        verdict?.obstacle.map {
          "there is no way: the step \($0.source.name) → \($0.destination.name) breaks: \($0.reason)"
        }
        ?? "\(source.name) is not a version of this bundle"
      return version
    }
    guard verdict.kind != .same else { return version }
    for gaps in [SyntheticRows.Gaps.certain, .none] {
      var rows = request.rows
      rows.gaps = gaps
      let attempt = RehearsalAttempt(
        request: request, source: source, isStraightInferable: verdict.isInferable, routes: routes, now: now,
        folder: gaps == .none ? folder.appendingPathComponent("complete") : folder, isInterrupted: isInterrupted)
      let result = try attempt.run(rows: rows, report: report)
      version.attempts.append(result)
      if !result.isRefused { break }
    }
    return version
  }
}
