package import ModelChecks
import ModelFiles
package import PersistentStores

/// What is recorded in the lock files of several bundles; nothing is written before ``write()``.
package struct LockUpdate {
  /// Which versions are recorded, and how.
  package struct Request: Sendable {
    /// What the versions become.
    package var state: LockFile.State
    /// True to record every version that is not recorded yet.
    package var recordsAll: Bool
    /// What may be lost on the way to them.
    package var allowedLosses: Set<String>
    /// Stores that Core Data made, whose join tables are recorded.
    package var stores: [ReferenceStore]

    /// Makes a request.
    package init(
      state: LockFile.State, recordsAll: Bool = false, allowedLosses: Set<String> = [], stores: [ReferenceStore] = []
    ) {
      (self.state, self.recordsAll) = (state, recordsAll)
      (self.allowedLosses, self.stores) = (allowedLosses, stores)
    }
  }

  /// A version that is recorded as released, and stays so while drafts of other bundles are recorded.
  package typealias PassedOver = (file: String, version: String)

  /// What was recorded, with the paths of the lock files.
  package private(set) var records: [(file: String, record: LockRecord)] = []
  /// The current versions that stay as they are.
  package private(set) var passedOver: [PassedOver] = []
  private var recordings: [LockRecording] = []
  private let request: Request

  private init(_ request: Request) { self.request = request }

  /// Writes the lock files, or none where one of them cannot be written.
  ///
  /// - Throws: as `LockRecording.write()`.
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

  /// Records the versions of one bundle; false where its current version is released and a draft was asked for.
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
      recorded += try recording.recordMissing(as: request.state) { progress($0, file, $1, $2) }
    } else {
      var versions = target.versions
      versions += stores.map(\.version).filter { recording.lock.entries[$0] == nil && !versions.contains($0) }
      if versions.isEmpty, request.stores.isEmpty {
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

  /// Reads the bundles and records the versions, without writing anything.
  ///
  /// - Parameters:
  ///   - targets: the bundles, with the versions that were named.
  ///   - request: which versions are recorded, and how.
  ///   - project: the project that the bundles are in.
  ///   - progress: called with each missing version before it is looked at.
  /// - Returns: what is to be written.
  /// - Throws: ``WorkspaceError/storeOfNoVersion(path:)``, and as `LockRecording.record(_:_:)`.
  package static func prepared(
    _ targets: [LockTarget], _ request: Request, in project: Project,
    progress: (_ version: String, _ file: String, _ position: Int, _ count: Int) -> Void
  ) throws -> LockUpdate {
    var update = LockUpdate(request)
    var unused = Set(request.stores.map(\.path))
    var refused: (recording: LockRecording, version: String)?
    let configuration = try project.configuration()
    for target in targets {
      var recording = try LockRecording.read(
        target.bundle, in: project.search(), adopts: request.recordsAll, configuration: configuration)
      for store in request.stores where recording.version(of: store) != nil { unused.remove(store.path) }
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
    return update
  }
}

/// A version on whose way something is lost that nobody consented to.
package struct LosingVersion: Sendable {
  /// Its name.
  package let name: String
  /// Its path, or its name where the bundle has none of it.
  package let path: String
  /// True where it is recorded anew.
  package let isRelocked: Bool
  /// What is lost, at least one.
  package let losses: [UnrecordedLoss]

  /// Finds what is lost on the way to the versions that would be recorded.
  ///
  /// - Parameters:
  ///   - targets: the bundles, with the versions that were named; the current one where none was.
  ///   - project: the project that the bundles are in.
  /// - Returns: the versions that lose something, in the order of the targets.
  /// - Throws: as `LockRecording.unrecordedLosses(of:)`.
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
