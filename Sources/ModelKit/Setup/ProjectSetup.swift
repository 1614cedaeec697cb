import Foundation
public import ModelChecks
import ModelDescription
public import ModelFiles
public import StoreMigration

/// What a project gets so that its models are guarded: the versions in lock files, and files that have them checked.
///
/// Everything is looked at first and held as a value; ``write()`` then writes it, and replaces no file.
public struct ProjectSetup {
  /// What is asked for.
  public struct Request: Hashable, Sendable {
    /// The folder of the project.
    public var folder: String
    /// What is to have the models checked, or to read them.
    public var services: [SetupService]
    /// Where CI takes modelctl from, nil when that is to be filled in by hand.
    public var source: SetupSource?
    /// Who migrates the stores of users, nil where nobody has said so.
    public var migratedBy: MigrationReader?

    /// Makes a request.
    public init(
      folder: String = ".", services: [SetupService] = [], source: SetupSource? = nil,
      migratedBy: MigrationReader? = nil
    ) {
      (self.folder, self.services, self.source, self.migratedBy) = (folder, services, source, migratedBy)
    }
  }

  /// The bundles whose versions are recorded.
  public let bundles: [ModelBundle]
  /// What is recorded, with the paths of the lock files; what was recorded before is not among it.
  public let records: [(file: String, record: LockRecord)]
  /// The files besides the lock files.
  public let files: [SetupFile]
  /// The keys of git's configuration.
  public let settings: [SetupSetting]
  /// What is to be known or done besides.
  public let notes: [String]
  let recordings: [LockRecording]
  let workTree: GitWorkTree?

  /// Looks at a project.
  ///
  /// - Parameter request: what is asked for.
  /// - Returns: what is to be written.
  /// - Throws: ``SetupError``, `LockError`, `JSONFileError` about `.modelctl.json`, `RevisionError` and
  ///   `ModelFileError`.
  public static func plan(_ request: Request) throws -> ProjectSetup {
    let folder = request.folder
    let tree = workTree(around: folder)
    let check = try CheckConfiguration.nearest(to: folder)
    let search = ProjectSearch(in: .enclosing(folder), excluding: check.excludes)
    let configuration = try SetupConfiguration(of: check, in: search, top: tree?.top, migratedBy: request.migratedBy)
    if tree == nil, request.services.contains(.git) {
      throw SetupError.noRepository(folder: folder, service: SetupService.git.rawValue)
    }
    let bundles = try configuration.paths.map { try ModelBundle(at: $0) }.filter(\.form.isEditable)
    guard !bundles.isEmpty else { throw SetupError.noBundle(folder: folder) }
    var records: [(file: String, record: LockRecord)] = []
    var recordings = try bundles.map { try LockRecording.read($0, in: search, adopts: true, configuration: check) }
    // In a project that is guarded, a version that no lock file holds is a draft until somebody records it by name.
    let isGuarded = recordings.contains(where: \.isRecorded)
    for position in recordings.indices where !isGuarded {
      let file = recordings[position].lock.path
      records += try recordings[position].recordMissing().map { (file, $0) }
    }
    let unguarded = isGuarded ? recordings.filter { !$0.isRecorded }.map(\.bundle.path) : []
    let setup = ServiceFiles(folder: folder, workTree: tree, source: request.source)
    let files = try request.services.map { try setup.file(of: $0) } + [configuration.file].compactMap { $0 }
    let settings = try request.services.flatMap { try setup.settings(of: $0) }
    let usesBranch = request.services.contains(.github) && tree?.defaultBranch == nil
    let notes =
      configuration.notes
      + unguarded.map { path in
        "\(path) has no lock file; if its versions are released, record them: modelctl lock --all \(ShellWord(path: path).text)"
      }
      + (usesBranch
        ? ["the default branch is not known, so that \(SetupService.github.path) names main; write yours there"] : [])
    return ProjectSetup(
      bundles: bundles, records: records, files: files, settings: settings, notes: notes, recordings: recordings,
      workTree: tree)
  }

  /// True when everything is there already.
  public var isComplete: Bool {
    records.isEmpty && !files.contains { [.new, .changed].contains($0.state) }
      && !settings.contains { $0.state == .new }
  }

  /// The versions of a bundle that are recorded as released once this is written, oldest first.
  public func releasedVersions(of bundle: ModelBundle) -> [String] {
    let lock = recordings.first { $0.bundle.path == bundle.path }?.lock
    return bundle.versions.map(\.name).filter { lock?.entries[$0]?.state == .released }
  }

  private static func workTree(around folder: String) -> GitWorkTree? { try? GitWorkTree.read(around: folder) }
}

/// A key of git's configuration that a clone is to have.
public struct SetupSetting: Hashable, Sendable {
  /// What becomes of it, as of files.
  public let state: SetupFile.State
  /// The key.
  public let key: String
  /// The value that it gets, or has.
  public let value: String
}
