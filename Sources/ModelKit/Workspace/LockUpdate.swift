import Foundation
package import ModelChecks
import ModelDescription
import ModelFiles
package import PersistentStores

/// The planned records of the lock files of several bundles; ``write()`` writes them.
package struct LockUpdate {
  /// The versions to record, and their state.
  package struct Request: Sendable {
    package var state: LockFile.State
    /// Whether to record every version without a record.
    package var recordsAll: Bool
    /// Whether to release the current versions of guarded bundles.
    package var takesCurrent = false
    /// The allowed data losses on the paths to them.
    package var allowedLosses: Set<String>
    /// Stores written by Core Data, whose join tables are recorded.
    package var stores: [ReferenceStore]
    /// Mapping models to released versions, which are recorded with their checksums.
    package var mappings: [String] = []

    package init(
      state: LockFile.State, recordsAll: Bool = false, allowedLosses: Set<String> = [], stores: [ReferenceStore] = []
    ) {
      (self.state, self.recordsAll) = (state, recordsAll)
      (self.allowedLosses, self.stores) = (allowedLosses, stores)
    }
  }

  /// A released version that is unchanged while drafts of other bundles are recorded.
  package typealias PassedOver = (file: String, version: String)

  /// The new records, with the paths of the lock files.
  package private(set) var records: [(file: String, record: LockRecord)] = []
  /// The current versions that are unchanged.
  package private(set) var passedOver: [PassedOver] = []
  /// The current versions without a record that were not named: their lock files, names and paths.
  package private(set) var unrecorded: [(file: String, version: String, path: String)] = []
  private var recordings: [LockRecording] = []
  private let request: Request

  private init(_ request: Request) { self.request = request }

  /// Writes the lock files, or none of them if one cannot be written.
  package func write() throws {
    for recording in recordings { try recording.checkWritable() }
    for recording in recordings { try recording.write() }
  }

  /// The drafts that the releases leave behind them, bundle by bundle.
  package var draftsBehind: [(recording: LockRecording, drafts: DraftsBehind)] {
    recordings.compactMap { recording in
      let own = records.filter { $0.file == recording.lock.path }.map(\.record)
      return recording.draftsBehind(own).map { (recording, $0) }
    }
  }

  /// Records the versions of a single bundle; false if its current version is released and a draft was requested.
  private mutating func add(
    _ target: LockTarget, _ recording: inout LockRecording, isOnly: Bool,
    progress: (_ version: String, _ file: String, _ position: Int, _ count: Int) -> Void
  ) throws -> Bool {
    let stores = request.stores.compactMap { store in
      recording.version(of: store).map { (store: store, version: $0) }
    }
    var recorded: [LockRecord] = []
    if request.recordsAll {
      for name in target.versions { recorded.append(try record(name, of: target, in: &recording)) }
      let file = recording.lock.path
      recorded += try recording.recordMissing(as: request.state, takesCurrent: request.takesCurrent) {
        progress($0, file, $1, $2)
      }
      if request.takesCurrent, let current = try? recording.currentVersion(),
        recording.lock.entries[current]?.state == .draft
      {
        recorded.append(try record(current, of: target, in: &recording))
      }
      if let current = recording.unrecordedCurrent {
        unrecorded.append((file, current, recording.bundle.version(named: current)?.path ?? current))
      }
    } else {
      var versions = target.versions
      versions += stores.map(\.version).filter { recording.lock.entries[$0] == nil && !versions.contains($0) }
      if versions.isEmpty, request.stores.isEmpty, request.mappings.isEmpty {
        let current = try recording.currentVersion()
        if request.state == .draft, !isOnly, recording.lock.entries[current]?.state == .released { return false }
        versions = [current]
      }
      for name in versions { recorded.append(try record(name, of: target, in: &recording)) }
    }
    for (store, version) in stores {
      guard let named = try recording.recordJoinNames(of: store, version: version) else { continue }
      if let position = recorded.firstIndex(where: { $0.version == version }) {
        recorded[position].joinNames = named.joinNames
      } else {
        recorded.append(named)
      }
    }
    recorded += try recording.recordMappings(at: request.mappings)
    records += recorded.map { (recording.lock.path, $0) }
    recordings.append(recording)
    return true
  }

  private func record(_ name: String, of target: LockTarget, in recording: inout LockRecording) throws -> LockRecord {
    try recording.record(
      name,
      LockRecording.Request(
        state: request.state, allowedLosses: request.allowedLosses, overwrites: target.relocked.contains(name)))
  }

  package var retired: [(bundle: ModelBundle, records: [LockRecord])] {
    recordings.map { recording in
      (recording.bundle, records.filter { $0.file == recording.lock.path }.map(\.record))
    }
  }

  /// Ends the support of versions, without writing anything.
  ///
  /// - Parameters:
  ///   - words: names of versions and ranges of them, each perhaps behind `Bundle@`.
  ///   - retirement: when and why.
  ///   - targets: the bundles that may have them.
  /// - Throws: as `LockRecording.retire(_:_:)`, and `ModelFileError.ambiguous` for a version that several bundles have.
  package static func retiring(
    _ words: [String], _ retirement: LockFile.Retirement, in targets: [LockTarget], of project: Project
  ) throws -> LockUpdate {
    var update = LockUpdate(Request(state: .released))
    let configuration = try project.configuration()
    update.recordings = try targets.map {
      try LockRecording.read($0.bundle, in: project.search(), configuration: configuration)
    }
    var chosen: [Int: [String]] = [:]
    for word in words {
      let holders = update.recordings.indices.compactMap { position -> (position: Int, word: String)? in
        let recording = update.recordings[position]
        let prefix = "\(recording.bundle.name)@"
        let name = word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : word
        return recording.holds(name) || targets.count == 1 ? (position, name) : nil
      }
      guard holders.count < 2 else {
        throw ModelFileError.ambiguous(
          name: word, candidates: holders.map { "\(update.recordings[$0.position].bundle.name)@\(word)" })
      }
      let holder = holders.first ?? (0, word)
      chosen[holder.position, default: []].append(holder.word)
    }
    for (position, names) in chosen.sorted(by: { $0.key < $1.key }) where update.recordings.indices.contains(position) {
      let file = update.recordings[position].lock.path
      update.records += try update.recordings[position].retire(names, retirement).map { (file, $0) }
    }
    return update
  }

  /// Reads the bundles and records the versions, without writing anything.
  ///
  /// - Parameter progress: called with each missing version before it is looked at.
  package static func prepared(
    _ targets: [LockTarget], _ request: Request, in project: Project,
    progress: (_ version: String, _ file: String, _ position: Int, _ count: Int) -> Void
  ) throws -> LockUpdate {
    var update = LockUpdate(request)
    var unused = Set(request.stores.map(\.path))
    var lost = Set(request.mappings)
    var refused: (recording: LockRecording, version: String)?
    let configuration = try project.configuration()
    for target in targets {
      var recording = try LockRecording.read(
        target.bundle, in: project.search(), adopts: request.recordsAll, configuration: configuration)
      for store in request.stores where recording.version(of: store) != nil { unused.remove(store.path) }
      lost.subtract(recording.mappings(among: request.mappings))
      guard try !update.add(target, &recording, isOnly: targets.count == 1, progress: progress) else { continue }
      let current = try recording.currentVersion()
      refused = refused ?? (recording, current)
      update.passedOver.append((recording.lock.path, current))
    }
    if update.records.isEmpty, var refused {
      // Nothing was left to record, so that the command was a mistake.
      _ = try refused.recording.record(refused.version, LockRecording.Request(state: .draft))
    }
    if let path = request.stores.map(\.path).first(where: unused.contains) {
      throw WorkspaceError.storeOfNoVersion(path: path)
    }
    if let path = request.mappings.first(where: lost.contains) {
      guard FileManager.default.fileExists(atPath: path) else {
        throw ModelFileError.unreadable(path: path, reason: CommonWords.missingFile)
      }
      throw LockError.noMapping(path: path)
    }
    return update
  }
}

/// A version with data losses on its path that the user did not allow.
package struct LosingVersion: Sendable {
  package let name: String
  /// Its path, or its name if the bundle does not have it.
  package let path: String
  /// Whether it is recorded again.
  package let isRelocked: Bool
  /// The losses, at least one.
  package let losses: [UnrecordedLoss]

  /// Finds the losses on the paths to the versions to record.
  ///
  /// - Parameter targets: the bundles and their given versions; the current version if none was given.
  /// - Returns: the versions with losses, in the order of the targets.
  package static func found(in targets: [LockTarget], of project: Project) throws -> [LosingVersion] {
    let configuration = try project.configuration()
    return try targets.flatMap { target -> [LosingVersion] in
      let recording = try LockRecording.read(target.bundle, in: project.search(), configuration: configuration)
      let names = target.versions.isEmpty ? [try recording.currentVersion()] : target.versions
      return try names.compactMap { name in
        let losses = try recording.unrecordedLosses(of: name)
        guard !losses.isEmpty else { return nil }
        return LosingVersion(
          name: name, path: target.bundle.version(named: name)?.path ?? name,
          isRelocked: target.relocked.contains(name), losses: losses)
      }
    }
  }
}
