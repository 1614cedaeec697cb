import ModelKit

/// The project in which the program runs: looked at once, for whatever part of a command asks first.
enum ThisProject {
  private static let found = Result {
    let configuration = try CheckConfiguration.nearest()
    return (configuration: configuration, search: ProjectSearch(excluding: configuration.excludes))
  }

  /// What the project has decided.
  ///
  /// - Throws: `JSONFileError` with the location of what is wrong in its file, and `ModelFileError` when the file cannot
  ///   be read.
  static func configuration() throws -> CheckConfiguration { try found.get().configuration }

  /// Where its bundles and mapping models are.
  ///
  /// - Throws: as ``configuration()``.
  static func search() throws -> ProjectSearch { try found.get().search }

  /// What is wrong where there are bundles below a folder and the project leaves out every one.
  ///
  /// - Parameter folder: the folder; nil for the project's.
  /// - Returns: nil where bundles are left, and where there are none.
  /// - Throws: as ``configuration()``.
  static func exclusion(under folder: String?) throws -> CommandError? {
    let (configuration, search) = try found.get()
    let folder = folder ?? search.project.path
    guard let path = configuration.path, search.files(under: folder).bundles.isEmpty,
      !search.allFiles(under: folder).bundles.isEmpty
    else { return nil }
    return .everythingExcluded(configuration: path)
  }

  /// Why there is no bundle below a folder.
  static func noBundle(under folder: String) throws -> CommandError {
    try exclusion(under: folder) ?? .noBundle(folder: folder)
  }
}
