import Foundation
public import ModelChecks
import ModelDescription
public import ModelFiles
public import StoreMigration

/// The setup of a project that guards its models: versions in lock files, and the files that check them.
///
/// ``plan(_:)`` checks everything first; ``write()`` then writes the setup and replaces no file.
public struct ProjectSetup {
  /// A request for a setup.
  public struct Request: Hashable, Sendable {
    /// The folder of the project.
    public var folder: String
    /// The services that check or read the models.
    public var services: [SetupService]
    /// The repository that CI downloads modelctl from; nil to leave a placeholder.
    public var source: SetupSource?
    /// The reader that migrates the stores of users; nil if it is undecided.
    public var migratedBy: MigrationReader?
    /// The path of the export of a CloudKit container that mirrors the models; nil if there is none.
    public var cloudKitExport: String?

    /// Creates a request.
    public init(
      folder: String = ".", services: [SetupService] = [], source: SetupSource? = nil,
      migratedBy: MigrationReader? = nil
    ) {
      (self.folder, self.services, self.source, self.migratedBy) = (folder, services, source, migratedBy)
    }
  }

  /// The bundles with recorded versions.
  public let bundles: [ModelBundle]
  /// The new records, with the paths of the lock files.
  public let records: [(file: String, record: LockRecord)]
  /// The files besides the lock files.
  public let files: [SetupFile]
  /// The keys of git's configuration.
  public let settings: [SetupSetting]
  /// Further notes for the user.
  public let notes: [String]
  let recordings: [LockRecording]
  let workTree: GitWorkTree?
  /// The path of the export of a CloudKit container, which belongs into the repository.
  var export: String?

  /// Plans the setup of a project.
  ///
  /// - Parameter request: the request.
  /// - Returns: the setup to write.
  /// - Throws: ``SetupError``, `LockError`, `JSONFileError` about `.modelctl.json`, `RevisionError` and
  ///   `ModelFileError`.
  public static func plan(_ request: Request) throws -> ProjectSetup {
    let folder = request.folder
    let tree = workTree(around: folder)
    let check = try CheckConfiguration.nearest(to: folder)
    let search = ProjectSearch(in: .enclosing(folder), excluding: check.excludes)
    let configuration = try SetupConfiguration(
      of: check, in: search, top: tree?.top, migratedBy: request.migratedBy,
      export: request.cloudKitExport)
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
    let services = ServiceFiles(folder: folder, workTree: tree, source: request.source)
    let files = try request.services.flatMap { try services.files(of: $0) } + [configuration.file].compactMap { $0 }
    let settings = try request.services.flatMap { try services.settings(of: $0) }
    let usesBranch = request.services.contains(.github) && tree?.defaultBranch == nil
    let notes =
      configuration.notes
      + unguarded.map { path in
        "\(path) has no lock file; if its versions are released, record them: modelctl lock --all \(ShellWord(path: path).text)"
      }
      + (usesBranch
        ? ["the default branch is unknown, so \(SetupService.github.path) names main; change it to your branch"] : [])
    var setup = ProjectSetup(
      bundles: bundles, records: records, files: files, settings: settings, notes: notes, recordings: recordings,
      workTree: tree)
    setup.export = request.cloudKitExport
    return setup
  }

  /// Whether the setup is already complete.
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
  /// The state of the setting, as of files.
  public let state: SetupFile.State
  /// The key.
  public let key: String
  /// The value that it gets, or has.
  public let value: String
}

/// A file that a project is to have.
public struct SetupFile: Hashable, Sendable {
  /// The state of a file.
  public enum State: String, Hashable, Sendable, Encodable {
    /// Nothing is there, so it is made.
    case new
    /// The file exists and has its content.
    case present
    /// It is there, and gets the lines that it lacks.
    case changed
    /// A different file exists; it is kept.
    case taken
  }

  /// The path, from the folder of the run.
  public let path: String
  /// The content that the file has or gets.
  public let content: String
  /// The state of the file.
  public let state: State
  /// The step left to the user; nil if there is none.
  public let advice: String?
  /// The previous content, if the file is changed.
  public var previous: String?
}

extension ProjectSetup {
  /// Writes the missing files, then the lock files, then git's configuration.
  ///
  /// If one of them cannot be written, the new files are removed again.
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

/// The files and folders made by a run, for a rollback.
private struct WrittenFiles {
  private var paths: [String] = []
  private var previous: [(path: String, text: String)] = []

  /// Makes a file and its folders; an existing file is not replaced.
  mutating func make(_ file: SetupFile) throws(SetupError) {
    try Self.checkLinks(on: file.path)
    do {
      try makeFolder(BundlePath.parent(file.path))
      try Data(file.content.utf8).write(to: URL(fileURLWithPath: file.path), options: .withoutOverwriting)
      paths.append(file.path)
    } catch {
      throw .unwritable(path: file.path, reason: CommonWords.cause(of: error))
    }
  }

  /// Replaces the previous content of a file; a file that was changed since is kept.
  mutating func change(_ file: SetupFile) throws(SetupError) {
    try Self.checkLinks(on: file.path)
    let url = URL(fileURLWithPath: file.path)
    do {
      guard let text = file.previous, try Data(contentsOf: url) == Data(text.utf8) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "another process changed it"])
      }
      try Data(file.content.utf8).write(to: url, options: .atomic)
      previous.append((file.path, text))
    } catch {
      throw .unwritable(path: file.path, reason: CommonWords.cause(of: error))
    }
  }

  mutating func note(_ path: String) { if FileManager.default.fileExists(atPath: path) { paths.append(path) } }

  /// Removes the files made by this run in reverse order, and the folders that are empty.
  func remove() {
    for (path, text) in previous { try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) }
    for path in paths.reversed() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty != true { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Refuses a folder of the project that is a link: git keeps links, and theirs can lead anywhere.
  private static func checkLinks(on path: String) throws(SetupError) {
    if let link = BundleLink.first(on: BundlePath.parent(path)) {
      throw .unwritable(path: path, reason: "the folder \(link) is a link")
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
