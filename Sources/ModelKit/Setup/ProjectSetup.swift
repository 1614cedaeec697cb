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
        ? ["the default branch is unknown, so \(SetupService.github.path) names main; change it to your branch"] : [])
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

/// A file that a project is to have.
public struct SetupFile: Hashable, Sendable {
  /// What becomes of it.
  public enum State: String, Hashable, Sendable, Encodable {
    /// Nothing is there, so it is made.
    case new
    /// It is there and does what it is to do.
    case present
    /// It is there, and gets the lines that it lacks.
    case changed
    /// Another one is there, which stays as it is.
    case taken
  }

  /// The path, from the folder of the run.
  public let path: String
  /// What it has, or is to have.
  public let content: String
  /// What becomes of it.
  public let state: State
  /// What a person has to do, nil for nothing.
  public let advice: String?
  /// What it has, where it is changed.
  public var previous: String?
}

extension ProjectSetup {
  /// Writes what is missing: the files, then the lock files, then git's configuration.
  ///
  /// Where one of them cannot be written, the files made before are taken away again.
  ///
  /// - Throws: ``SetupError/unwritable(path:reason:)``, `LockError` and `RevisionError`.
  public func write() throws {
    for recording in recordings { try recording.checkWritable() }
    var written = WrittenFiles()
    do {
      for file in files where file.state == .new { try written.make(file) }
      for file in files where file.state == .changed { try written.change(file) }
      // Lock files that were there before grow; what was recorded stays true whatever happens after it.
      for recording in recordings {
        let isThere = FileManager.default.fileExists(atPath: recording.lock.path)
        try recording.write()
        if !isThere { written.note(recording.lock.path) }
      }
      try set(settings.filter { $0.state == .new })
    } catch {
      written.remove()
      throw error
    }
  }

  private func set(_ settings: [SetupSetting]) throws {
    var done: [String] = []
    do {
      for setting in settings {
        try workTree?.set(setting.key, to: setting.value)
        done.append(setting.key)
      }
    } catch {
      for key in done { try? workTree?.set(key, to: nil) }
      throw error
    }
  }
}

/// Files and folders that a run made, which it can take away again.
private struct WrittenFiles {
  private var paths: [String] = []
  private var previous: [(path: String, text: String)] = []

  /// Makes a file with the folders on its way; one that is there by now is not replaced.
  mutating func make(_ file: SetupFile) throws(SetupError) {
    do {
      try makeFolder(BundlePath.parent(file.path))
      try Data(file.content.utf8).write(to: URL(fileURLWithPath: file.path), options: .withoutOverwriting)
      paths.append(file.path)
    } catch {
      throw .unwritable(path: file.path, reason: error.localizedDescription)
    }
  }

  /// Puts the new text of a file in the place of the one that was shown; a file that is another by now stays.
  mutating func change(_ file: SetupFile) throws(SetupError) {
    let url = URL(fileURLWithPath: file.path)
    do {
      guard let text = file.previous, try Data(contentsOf: url) == Data(text.utf8) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "another process changed it"])
      }
      try Data(file.content.utf8).write(to: url, options: .atomic)
      previous.append((file.path, text))
    } catch {
      throw .unwritable(path: file.path, reason: error.localizedDescription)
    }
  }

  mutating func note(_ path: String) { if FileManager.default.fileExists(atPath: path) { paths.append(path) } }

  /// Takes away what was made, the last first; of a folder only what is empty.
  func remove() {
    for (path, text) in previous { try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) }
    for path in paths.reversed() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty != true { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private mutating func makeFolder(_ path: String) throws {
    let folder = path.isEmpty ? "." : path
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    try makeFolder(BundlePath.parent(folder))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    paths.append(folder)
  }
}
