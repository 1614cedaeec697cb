import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

/// One store, made once and migrated on every path.
struct RehearsalAttempt {
  let request: RehearsalRequest
  let start: RehearsalSource
  let isStraightInferable: Bool
  let pathFinder: MigrationPathFinder
  let directPathFinder: MigrationPathFinder
  /// True to pass every version one after the other, however many they are.
  let walksFar: Bool
  let now: Double
  let folder: URL
  let isInterrupted: (@Sendable () -> Bool)?

  private var source: LoadedVersion { start.version }
  private var versions: [LoadedVersion] { start.versions }
  private var destination: LoadedVersion { start.destination }

  func run(rows: SyntheticRows, report: (RehearsedVersion.Path?) -> Void) throws -> RehearsedVersion.Attempt {
    report(nil)
    let original = folder.appendingPathComponent("original")
    try FileManager.default.createDirectory(at: original, withIntermediateDirectories: true)
    var made: Int?
    if let store = start.store {
      let reader = try store.reader(interruption: isInterrupted)
      defer { reader.close() }
      try SyntheticStore.copy(reader, to: original)
    } else {
      made = try SyntheticStore.make(in: original, of: source, rows, isInterrupted: isInterrupted)
    }
    let content = try StoreContentReader.content(ofStore: SyntheticStore.path(in: original), source.hierarchy)
    var attempt = RehearsedVersion.Attempt(
      isComplete: start.store == nil && rows.gaps == .none, rowsPerEntity: made, objectCount: content.objectCount)
    let migrationPath: MigrationPath
    do {
      migrationPath = try pathFinder.migrationPath(from: source, to: destination, among: versions)
    } catch {
      attempt.failures.append(.init(path: .inPlace, cause: .noPath(CaughtError(error))))
      return attempt
    }
    var results: [RehearsedVersion.Path: StoreContent] = [:]
    var given: [String: DataLoss] = [:]
    for trip in try trips(migrationPath) {
      report(trip.path)
      if let content = try take(trip, from: original, &given, &attempt) { results[trip.path] = content }
    }
    compare(results, migrationPath, &attempt)
    checkKept(results, of: content, migrationPath, &attempt)
    return attempt
  }

  /// Migrates a copy and checks it.
  ///
  /// - Parameters:
  ///   - given: what was given up in place, which the clone gives up too.
  ///   - attempt: takes what came of it.
  /// - Returns: its content, nil if it was not migrated.
  /// - Throws: `StoreError` after an interrupt and for a store that cannot be read, and what the file system throws.
  private func take(
    _ trip: PlannedTrip, from original: URL, _ given: inout [String: DataLoss],
    _ attempt: inout RehearsedVersion.Attempt
  ) throws -> StoreContent? {
    let place = folder.appendingPathComponent(trip.path.rawValue.replacing(",", with: "").replacing(" ", with: "-"))
    try FileManager.default.copyItem(at: original, to: place)
    let path = SyntheticStore.path(in: place)
    func add(_ ending: RehearsedVersion.Ending) {
      attempt.trips.append(.init(path: trip.path, versions: trip.versions.map(\.name), ending: ending))
    }
    var reached = source
    for (stop, versions) in trip.stops {
      let step = RehearsedVersion.Step(source: reached.name, destination: stop.name)
      let migration = ConsentingMigration(
        request: request, destination: stop, versions: versions, pathFinder: trip.pathFinder, strategy: trip.strategy,
        now: now, isInterrupted: isInterrupted, known: trip.path == .clone ? given : [:])
      let losses: [String: DataLoss]
      do {
        losses = try migration.run(path)
      } catch let refusal as RehearsedVersion.Refusal {
        add(.refused(at: step, refusal))
        return nil
      } catch {
        if isInterrupted?() == true { throw StoreError.interrupted(path: path) }
        attempt.failures.append(.init(path: trip.path, cause: .migration(step, CaughtError(error))))
        add(.failed)
        return nil
      }
      attempt.losses.formUnion(losses.values)
      if trip.path == .inPlace {
        given = losses
        // What only the store itself shows is no part of this migration, which has succeeded.
        if let store = start.store {
          attempt.losses.formUnion(try store.unseenLosses(migration.migration(of: path)))
        }
      }
      reached = stop
    }
    let reader = try StoreReader(path: path, interruption: isInterrupted)
    defer { reader.close() }
    // How values are stored, a migration leaves as it was.
    let problems = try reader.verify(against: destination.hierarchy)
      .filter { $0.severity == .error && $0.kind != .storageClass }
    attempt.failures += problems.map { .init(path: trip.path, cause: .unsound($0)) }
    add(problems.isEmpty ? .migrated : .failed)
    return try reader.read { try StoreContentReader($0, of: destination.hierarchy).read() }
  }

  /// Compares the results: in place and copy, direct and step by step must be equal; straight may differ for a reason.
  private func compare(
    _ results: [RehearsedVersion.Path: StoreContent], _ migrationPath: MigrationPath,
    _ attempt: inout RehearsedVersion.Attempt
  ) {
    compareEndings(&attempt)
    guard let once = results[.inPlace] ?? results[.clone] else { return }
    if results[.inPlace] != nil, let clone = results[.clone] {
      attempt.count(clone)
      attempt.failures += clone.differences(from: once).map { .init(path: .clone, cause: .difference($0, .clone)) }
    }
    for path in [RehearsedVersion.Path.stepByStep, .nextStep] {
      guard let stepped = results[path] else { continue }
      attempt.count(stepped)
      let differences = stepped.differences(from: once)
      // A direct migration that skips versions reports it, and its difference is known.
      if let detour = migrationPath.detour {
        let notes = differences.map { RehearsedVersion.Note.difference($0, .stepped(path)) }
        attempt.notes += notes.isEmpty ? [] : [.detour(detour)] + notes
      } else {
        attempt.failures += differences.map { .init(path: path, cause: .difference($0, .stepped(path))) }
      }
    }
    if let straight = results[.straight] { compare(straight, with: once, migrationPath, &attempt) }
  }

  private func compare(
    _ straight: StoreContent, with once: StoreContent, _ migrationPath: MigrationPath,
    _ attempt: inout RehearsedVersion.Attempt
  ) {
    guard let passing = migrationPath.parts.first?.mapping, passing.isInferred,
      let direct = try? directPathFinder.migrationPath(from: source, to: destination, among: []).parts.first?.mapping,
      direct.isInferred
    else { return }
    attempt.count(straight)
    let reasons = StraightDifferences(passing: passing, straight: direct, chain: migrationPath.versions)
    for difference in straight.differences(from: once) {
      if let reason = reasons.reason(for: difference) {
        if !attempt.notes.contains(.straight(reason)) { attempt.notes.append(.straight(reason)) }
      } else {
        attempt.failures.append(.init(path: .straight, cause: .difference(difference, .straight)))
      }
    }
  }

  /// Content that no version on the path changes must be unchanged.
  private func checkKept(
    _ results: [RehearsedVersion.Path: StoreContent], of original: StoreContent, _ migrationPath: MigrationPath,
    _ attempt: inout RehearsedVersion.Attempt
  ) {
    guard migrationPath.parts.count == 1, let mapping = migrationPath.parts.first?.mapping, mapping.isInferred else {
      return
    }
    let kept = KeptContent(mapping: mapping, source: source.hierarchy, destination: destination.hierarchy)
    for path in [RehearsedVersion.Path.inPlace, .clone] {
      guard let result = results[path] else { continue }
      let (before, after) = kept.contents(of: original, migratedTo: result)
      attempt.count(before)
      attempt.failures += after.differences(from: before).map { .init(path: path, cause: .difference($0, .unchanged)) }
    }
  }

  /// In place and copy must end alike, and a direct migration must not be refused if the steps are not.
  private func compareEndings(_ attempt: inout RehearsedVersion.Attempt) {
    let endings = Dictionary(attempt.trips.map { ($0.path, $0.ending) }) { first, _ in first }
    guard let inPlace = endings[.inPlace], let clone = endings[.clone] else { return }
    if inPlace != clone {
      attempt.failures.append(.init(path: .clone, cause: .otherEnding(clone, inPlace: inPlace)))
    }
    if (endings[.stepByStep] ?? endings[.nextStep]) == .migrated, case .refused = inPlace {
      attempt.failures.append(.init(path: .inPlace, cause: .combinedPathRefused))
    }
  }
}

extension RehearsedVersion.Attempt {
  /// Counts what was compared with a different result.
  fileprivate mutating func count(_ content: StoreContent) {
    comparedValues += content.valueCount
    comparedLinks += content.linkCount
  }
}

/// A version that stores start from, and those they pass, as a store of its configuration sees them.
struct RehearsalSource: Sendable {
  let version: LoadedVersion
  let versions: [LoadedVersion]
  let destination: LoadedVersion
  /// The store that was given, nil for synthetic ones.
  let store: RehearsedStore?
}

extension RehearsalSource {
  init(_ version: LoadedVersion, in request: RehearsalRequest) {
    self.init(version: version, versions: request.versions, destination: request.destination, store: nil)
  }
}
