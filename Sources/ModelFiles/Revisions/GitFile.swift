import Foundation

/// A model in a revision of a git repository, written `REV:path`.
public struct GitFile: Hashable, Sendable {
  /// The argument as it was given.
  public let argument: String
  /// The revision: a branch, a tag or a commit.
  public let revision: String
  /// The path after the colon.
  public let path: String
  let folder: String

  /// Takes an argument apart; nil if it has no colon, or nothing before or after it, or a dash or a slash in front.
  init?(_ argument: String, folder: String) {
    guard let colon = argument.firstIndex(of: ":") else { return nil }
    revision = String(argument[..<colon])
    path = BundlePath.trimmed(String(argument[argument.index(after: colon)...]))
    guard !revision.isEmpty, !path.isEmpty, !revision.hasPrefix("-"), !revision.hasPrefix("/"),
      !revision.contains(where: { $0.isNewline || $0 == "\0" })
    else { return nil }
    (self.argument, self.folder) = (argument, folder)
  }

  private init(_ file: GitFile, path: String) {
    (argument, revision, folder) = (file.argument, file.revision, file.folder)
    self.path = path
  }

  /// The model file if the argument names a bundle or a version.
  ///
  /// A path is relative to the top of the repository, as in git; if it does not exist there, to the folder.
  func resolved() throws(ModelFileError) -> GitFile {
    let repository = GitRepository(folder: folder)
    var start = self
    if try repository.kind(of: start) == nil { start = GitFile(self, path: "./\(path)") }
    switch try repository.kind(of: start) {
    case "blob"?: return start
    case "tree"?: return try start.modelFile(in: repository)
    default:
      throw .git(argument: argument, reason: "there is no such revision, or the revision does not have this path")
    }
  }

  /// Reads the model.
  func load() throws(ModelFileError) -> ModelFile {
    let data = try GitRepository(folder: folder).contents(of: self)
    let place = "\(revision):\(path)"
    guard data.starts(with: Data("bplist".utf8)) else { return try ContentsReader.read(data, path: place) }
    switch try ArchiveKind.form(of: data, path: place) {
    case .compiled: return try CompiledModelReader.read(data, path: place)
    case .elements, .contents: return try ElementsReader.read(data, path: place)
    }
  }

  private func modelFile(in repository: GitRepository) throws(ModelFileError) -> GitFile {
    let names = try repository.names(in: self)
    if names.contains("contents") { return GitFile(self, path: "\(path)/contents") }
    if names.contains("elements") { return GitFile(self, path: "\(path)/elements") }
    let versions = VersionOrder.sorted(
      names.filter { BundlePath.pathExtension($0) == "xcdatamodel" }, by: BundlePath.stem)
    guard let first = versions.first else { throw .noVersions(bundle: argument) }
    let current = try currentVersion(in: repository, names: names)
    guard let version = current ?? (versions.count == 1 ? first : nil) else {
      throw .noCurrentVersion(bundle: argument, versions: versions.map { BundlePath.stem($0) })
    }
    guard versions.contains(version) else {
      throw .currentVersionMissing(
        bundle: argument, name: BundlePath.stem(version), versions: versions.map { BundlePath.stem($0) })
    }
    return try GitFile(self, path: "\(path)/\(version)").modelFile(in: repository)
  }

  private func currentVersion(in repository: GitRepository, names: [String]) throws(ModelFileError) -> String? {
    guard names.contains(CurrentVersionFile.name) else { return nil }
    let file = GitFile(self, path: "\(path)/\(CurrentVersionFile.name)")
    let data = try repository.contents(of: file)
    do {
      let list = try CurrentVersionFile.list(decoding: data, path: file.path)
      return list.dictionary?[CurrentVersionFile.key]?.string
    } catch {
      throw .brokenPropertyList(path: "\(revision):\(file.path)", error)
    }
  }
}
