import Foundation
import ModelDescription

/// The source of a model: the existing version, file or revision that a MODEL argument names.
public enum ModelSource: Hashable, Sendable {
  /// A version in a bundle.
  case version(ModelVersion)
  /// A single file outside any bundle.
  case file(path: String, form: ModelVersion.Form)
  /// A file in a revision of git.
  case revision(GitFile)

  /// Reads the model.
  public func load() throws(ModelFileError) -> ModelFile {
    switch self {
    case .version(let version): try version.load()
    case .file(let path, let form): try form.read(FileBytes.read(path), path: path)
    case .revision(let file): try file.load()
    }
  }

  /// The name of the model in reports: that of a version, or the path.
  public var name: String {
    switch self {
    case .version(let version): version.name
    case .file(let path, _): path
    case .revision(let file): file.argument
    }
  }

  /// Finds the model that an argument of the command line names.
  ///
  /// An existing path has priority, except for a folder with the exact name of a bundle or a version that is not a
  /// bundle. The next are `Bundle@version`, `REV:path` of git, a bundle's name (its current version), and a version's
  /// name.
  ///
  /// - Parameters:
  ///   - argument: a version or bundle name, `Bundle@version`, a path to a bundle, a version or a file, or `REV:path`.
  ///   - folder: the folder in which the argument is given; bundles are searched in the project around it.
  ///   - bundlePath: the only bundle to search, or a folder that contains it; nil for the project.
  ///   - search: an existing search of that project.
  /// - Throws: ``ModelFileError/notAModel(path:)`` for a path that exists and is something else, such as a store;
  ///   ``ModelFileError/unknownVersion(name:folder:candidates:)``; ``ModelFileError/ambiguous(name:candidates:)``.
  public static func resolve(
    _ argument: String, under folder: String = ".", bundlePath: String? = nil, in search: ProjectSearch? = nil
  ) throws(ModelFileError) -> ModelSource {
    let versions = VersionSearch(in: bundlePath, search ?? ProjectSearch(in: .enclosing(folder)))
    if FileManager.default.fileExists(atPath: argument) {
      if ProjectFiles.isFolder(argument), ModelBundle.Form(ofPath: argument) == nil,
        let version = try versions.versionOfPath(called: argument)
      {
        return .version(version)
      }
      do {
        return try PathSource.resolve(argument)
      } catch {
        guard case .notAModel = error, let version = try versions.versionOfPath(called: argument) else { throw error }
        return .version(version)
      }
    }
    if let version = try versions.qualified(argument) { return .version(version) }
    if let file = GitFile(argument, folder: folder) { return .revision(try file.resolved()) }
    if BundlePath.looksLikePath(argument) { throw .unreadable(path: argument, reason: CommonWords.missingFile) }
    return .version(try versions.version(named: argument))
  }

  /// The current version of the only bundle, for a command without a MODEL argument.
  ///
  /// - Parameters:
  ///   - bundlePath: the bundle itself, or a folder that contains it; nil for the project.
  ///   - search: an existing search of that project.
  /// - Throws: ``ModelFileError``, with the candidates if there are several bundles.
  public static func current(
    under folder: String = ".", bundlePath: String? = nil, in search: ProjectSearch? = nil
  ) throws(ModelFileError) -> ModelSource {
    let search = search ?? ProjectSearch(in: .enclosing(folder))
    return .version(try search.onlyBundle(under: bundlePath).currentVersion())
  }
}
