import Foundation
import ModelDescription

/// Where a model comes from: what a MODEL argument names once it is known to exist.
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

  /// How reports call the model: a version by its name, anything else by its path.
  public var name: String {
    switch self {
    case .version(let version): version.name
    case .file(let path, _): path
    case .revision(let file): file.argument
    }
  }

  /// Finds the model that an argument of the command line names.
  ///
  /// A path that exists wins, but for a folder that is no bundle and has the very name of a bundle or a version; then
  /// `Bundle@version`, then `REV:path` of git, then a bundle's name, which means its current version, then a version's.
  ///
  /// - Parameters:
  ///   - argument: a version or bundle name, `Bundle@version`, a path to a bundle, a version or a file, or `REV:path`.
  ///   - folder: the folder in which the argument is given; bundles are looked for in the project around it.
  ///   - bundlePath: the only bundle to look in, or a folder that holds it; nil for the project.
  ///   - search: the search of that project, where there is one already.
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
  ///   - bundlePath: the bundle itself, or a folder that holds it; nil for the project.
  ///   - search: the search of that project, where there is one already.
  /// - Throws: ``ModelFileError``, with the candidates when there is more than one bundle.
  public static func current(
    under folder: String = ".", bundlePath: String? = nil, in search: ProjectSearch? = nil
  ) throws(ModelFileError) -> ModelSource {
    let search = search ?? ProjectSearch(in: .enclosing(folder))
    return .version(try search.onlyBundle(under: bundlePath).currentVersion())
  }
}
