import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

/// Migrates stores of old versions on every path there is, checks each, and holds the results together.
public struct Rehearsal: Sendable {
  /// The versions and stores to rehearse.
  public let request: RehearsalRequest
  private let matrix: MigrationMatrix
  private let pathFinder: MigrationPathFinder
  private let directPathFinder = MigrationPathFinder(isDirect: true)
  private let demands: RehearsalDemands
  private let now: Double

  /// Prepares a rehearsal.
  public init(_ request: RehearsalRequest) {
    self.request = request
    matrix = MigrationMatrix(of: request.versions, mappings: request.mappings, unusable: request.unusable)
    pathFinder = MigrationPathFinder(mappings: request.mappings, unusable: request.unusable)
    demands = RehearsalDemands(request.versions, to: request.destination)
    now = Date().timeIntervalSinceReferenceDate
  }

  /// Rehearses every version and store, several at once.
  ///
  /// - Parameters:
  ///   - isInterrupted: asked often; true ends it.
  ///   - report: called with how far it is, on the thread that called.
  ///   - finished: given what came of each version in their order, as soon as it is known, on the thread that called;
  ///     after an interrupt, what is known of later ones too.
  /// - Returns: what came of each version and of each store, in their order.
  /// - Throws: `StoreError` and `StoreCreationError`, `interrupted` among them, and what the file system and `finished`
  ///   throw.
  @discardableResult
  public func run(
    isInterrupted: (@Sendable () -> Bool)? = nil, report: (RehearsalProgress) -> Void = { _ in },
    finished: (RehearsedVersion) throws -> Void = { _ in }
  ) throws -> [RehearsedVersion] {
    pathFinder.prepare(request.versions, to: request.destination)
    let sources = try request.sources.map { RehearsalSource($0, in: request) } + request.stores.map(source)
    let queue = RehearsalQueue(count: sources.count)
    defer { queue.close() }
    for _ in 0..<min(request.jobs, sources.count) {
      RehearsalQueue.startThread {
        while let position = queue.take() {
          draining {
            let result = Result {
              try rehearse(sources, at: position, isInterrupted: isInterrupted) { queue.tell($0) }
            }
            queue.put(result, at: position)
          }
        }
      }
    }
    return try queue.results(report: report, finished: finished)
  }

  /// The version of a store that was given.
  private func source(_ store: RehearsedStore) throws -> RehearsalSource {
    let reader = try store.reader()
    defer { reader.close() }
    let identification = try reader.identify(among: request.versions)
    guard let found = SourceVersion(identification, among: request.versions, to: request.destination) else {
      throw MigrationError(identification, path: store.path, to: request.destination)
    }
    return RehearsalSource(
      version: found.version, versions: found.versions, destination: found.destination, store: store)
  }

  private func rehearse(
    _ sources: [RehearsalSource], at position: Int, isInterrupted: (@Sendable () -> Bool)?,
    report: (RehearsalProgress) -> Void
  ) throws -> RehearsedVersion {
    let source = sources[position]
    let folder = URL(fileURLWithPath: request.folder).appendingPathComponent(
      Self.folderName(source.version.name, position))
    // An error leaves files that are not complete.
    var isKept = false
    defer { if !isKept { try? FileManager.default.removeItem(at: folder) } }
    let version = try rehearse(source, isFirst: position == 0, in: folder, isInterrupted: isInterrupted) { path in
      report(
        RehearsalProgress(
          source: source.store?.path ?? source.version.name, position: position + 1, count: sources.count, path: path))
    }
    isKept = request.keepsStores
    return version
  }

  /// A folder's name that no version's name leads out of.
  private static func folderName(_ version: String, _ position: Int) -> String {
    let plain = version.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
    return "\(position + 1)-\(String(plain.prefix(60)))"
  }

  private func rehearse(
    _ source: RehearsalSource, isFirst: Bool, in folder: URL, isInterrupted: (@Sendable () -> Bool)?,
    report: (RehearsedVersion.Path?) -> Void
  ) throws -> RehearsedVersion {
    let verdict = verdict(of: source)
    var version = RehearsedVersion(
      source: source.version.name, destination: source.destination.name, store: source.store?.path,
      kind: verdict?.kind ?? .impossible)
    guard let verdict, verdict.isReachable else {
      version.refusal =
        verdict?.refusal.map {
          .broken(.init(source: $0.source.name, destination: $0.destination.name), $0.cause)
        }
        ?? .unknownVersion(source.version.name)
      return version
    }
    guard verdict.kind != .same else { return version }
    for gaps in source.store == nil ? [SyntheticRows.Gaps.certain, .none] : [.certain] {
      var rows = request.rows
      rows.gaps = gaps
      if gaps == .none {
        rows.demands =
          demands.demands(of: source.version)
          ?? RowDemands(of: source.version.hierarchy, passing: [source.destination.hierarchy])
      }
      let attempt = RehearsalAttempt(
        request: request, start: source, isStraightInferable: verdict.isInferable, pathFinder: pathFinder,
        directPathFinder: directPathFinder, walksFar: isFirst, now: now,
        folder: gaps == .none ? folder.appendingPathComponent("complete") : folder, isInterrupted: isInterrupted)
      let result = try attempt.run(rows: rows, report: report)
      version.attempts.append(result)
      if !result.isRefused { break }
    }
    return version
  }

  private func verdict(of source: RehearsalSource) -> MigrationVerdict? {
    if source.store == nil { return matrix.verdict(from: source.version, to: source.destination) }
    let isKnown = source.versions.contains { $0.name == source.version.name && $0.bundle == source.version.bundle }
    let versions = isKnown ? source.versions : [source.version] + source.versions
    return MigrationMatrix(of: versions, mappings: request.mappings, unusable: request.unusable)
      .verdict(from: source.version, to: source.destination)
  }
}

/// The requirements of the versions on the path for the rows of each version, computed together at the first request.
final class RehearsalDemands: @unchecked Sendable {
  private let versions: [LoadedVersion]
  private let lock = NSLock()
  private var known: [RowDemands]?

  /// Prepares the requirements on the path to a version.
  ///
  /// - Parameters:
  ///   - versions: the versions, oldest first.
  ///   - destination: the last version of the path.
  init(_ versions: [LoadedVersion], to destination: LoadedVersion) {
    let end = versions.firstIndex { $0.name == destination.name } ?? -1
    self.versions = Array(versions[...end])
  }

  /// The requirements for the rows of a version; nil for a version that is not on the path.
  func demands(of version: LoadedVersion) -> RowDemands? {
    guard let position = versions.firstIndex(where: { $0.name == version.name }), position + 1 < versions.count else {
      return nil
    }
    return lock.withLock {
      let demands = known ?? RowDemands.chain(versions.map(\.hierarchy))
      known = demands
      return demands[position]
    }
  }
}

/// The progress of a rehearsal.
public struct RehearsalProgress: Hashable, Sendable {
  /// The old version that is rehearsed, or the store that was given.
  public let source: String
  /// Its place among those to rehearse, from 1.
  public let position: Int
  /// The total number.
  public let count: Int
  /// The current migration; nil while the store is created.
  public let path: RehearsedVersion.Path?
}

/// Hands versions out to threads, and gives what came of them in the order of the versions.
final class RehearsalQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private let count: Int
  private var next = 0
  private var working = 0
  private var isClosed = false
  private var known: [Int: Result<RehearsedVersion, any Error>] = [:]
  private var progress: RehearsalProgress?

  /// As deep as that of the main thread.
  private static let stackSize = 8 << 20

  init(count: Int) { self.count = count }

  static func startThread(_ work: @escaping @Sendable () -> Void) {
    let isSpoken = TextWidth.isSpoken
    let thread = Thread { TextWidth.$isSpoken.withValue(isSpoken, operation: work) }
    thread.stackSize = stackSize
    thread.name = "modelctl.rehearsal"
    thread.start()
  }

  /// The position of the next version to work on; nil if there is none.
  func take() -> Int? {
    locked {
      guard !isClosed, next < count else { return nil }
      (next, working) = (next + 1, working + 1)
      return next - 1
    }
  }

  /// Says how far one version is.
  func tell(_ progress: RehearsalProgress) { locked { self.progress = progress } }

  /// Hands over what came of a version; an error ends the work.
  func put(_ result: Result<RehearsedVersion, any Error>, at position: Int) {
    locked {
      known[position] = result
      working -= 1
      if case .failure = result { isClosed = true }
    }
  }

  /// Waits until all workers are idle; no further version is started.
  func close() {
    condition.lock()
    isClosed = true
    while working > 0 { condition.wait() }
    condition.unlock()
  }

  /// Gives the results in order as they come; after an error, those that are known of later versions too.
  func results(
    report: (RehearsalProgress) -> Void, finished: (RehearsedVersion) throws -> Void
  ) throws -> [RehearsedVersion] {
    var results: [RehearsedVersion] = []
    while results.count < count {
      let (result, progress) = wait(for: results.count)
      if let progress { report(progress) }
      guard let result else { continue }
      guard case .success(let version) = result else { break }
      results.append(version)
      try finished(version)
    }
    guard results.count < count else { return results }
    close()
    let later = known.filter { $0.key > results.count }.sorted { $0.key < $1.key }.map(\.value)
    for case .success(let version) in later { try finished(version) }
    let errors = known.sorted { $0.key < $1.key }.compactMap { result -> (any Error)? in
      if case .failure(let error) = result.value { error } else { nil }
    }
    throw errors.first ?? StoreError.interrupted(path: "")
  }

  private func wait(for position: Int) -> (Result<RehearsedVersion, any Error>?, RehearsalProgress?) {
    condition.lock()
    defer { condition.unlock() }
    while known[position] == nil, progress == nil, !(isClosed && working == 0) { condition.wait() }
    defer { progress = nil }
    let isOver = isClosed && working == 0
    return (known[position] ?? (isOver ? .failure(StoreError.interrupted(path: "")) : nil), progress)
  }

  private func locked<Value>(_ work: () -> Value) -> Value {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return work()
  }
}
