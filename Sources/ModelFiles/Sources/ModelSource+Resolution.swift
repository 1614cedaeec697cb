import Foundation

extension ModelSource {
  /// Finds the model that an argument of the command line names.
  ///
  /// A path that exists wins; then `Bundle@version`, then `REV:path` of git, then a version name, then a bundle's name,
  /// which means its current version.
  ///
  /// - Parameters:
  ///   - argument: a version or bundle name, `Bundle@version`, a path to a bundle, a version or a file, or `REV:path`.
  ///   - folder: the folder under which bundles are looked for.
  ///   - bundlePath: the only bundle to look in, or a folder that holds it.
  /// - Returns: what the argument names.
  /// - Throws: ``ModelFileError/notAModel(path:)`` for a path that exists and is something else, such as a store;
  ///   ``ModelFileError/unknownVersion(name:folder:candidates:)``; ``ModelFileError/ambiguous(name:candidates:)``.
  public static func resolve(
    _ argument: String, under folder: String = ".", bundlePath: String? = nil
  ) throws(ModelFileError) -> ModelSource {
    let search = VersionSearch(folder: bundlePath ?? folder)
    if FileManager.default.fileExists(atPath: argument) {
      do {
        return try PathSource.resolve(argument)
      } catch {
        // A folder or file may happen to be called like a version.
        guard case .notAModel = error, !BundlePath.looksLikePath(argument),
          let version = try? search.version(named: argument)
        else { throw error }
        return .version(version)
      }
    }
    if let version = try search.qualified(argument) { return .version(version) }
    if let file = GitFile(argument, folder: folder) { return .revision(try file.resolved()) }
    if BundlePath.looksLikePath(argument) {
      throw .unreadable(path: argument, reason: "there is no such file")
    }
    return .version(try search.version(named: argument))
  }

  /// The current version of the only bundle, for a command without a MODEL argument.
  ///
  /// - Parameters:
  ///   - folder: the folder under which the bundle is looked for.
  ///   - bundlePath: the bundle itself, or a folder that holds it.
  /// - Returns: the bundle's current version.
  /// - Throws: ``ModelFileError``, with the candidates when there is more than one bundle.
  public static func current(
    under folder: String = ".", bundlePath: String? = nil
  ) throws(ModelFileError) -> ModelSource {
    .version(try ModelBundle.only(under: bundlePath ?? folder).currentVersion())
  }
}
