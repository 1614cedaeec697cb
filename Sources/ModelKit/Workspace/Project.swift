public import ModelChecks
import ModelDescription
public import ModelFiles

/// The project of the working directory: its configuration, its bundles and its mapping models.
///
/// Everything is read once, when it is first needed.
public final class Project: Sendable {
  private typealias Opened = (configuration: CheckConfiguration, search: ProjectSearch)
  private let opened = Once<Result<Opened, any Error>>()
  private let cache: String?
  /// Whether only the named paths matter, and not the working directory, configurations and git.
  let isOfNamed: Bool

  /// Creates a project without reading it.
  ///
  /// - Parameter cache: a folder for cached data of large projects; nil for none.
  public convenience init(cache: String? = nil) { self.init(cache: cache, isOfNamed: false) }

  private init(cache: String?, isOfNamed: Bool) { (self.cache, self.isOfNamed) = (cache, isOfNamed) }

  /// A project for paths named by a program that does not give a project.
  static func ofNamed() -> Project { Project(cache: nil, isOfNamed: true) }

  /// The configuration of the project.
  ///
  /// - Throws: `JSONFileError` with the location of an error in the file, and `ModelFileError` if the file cannot be
  ///   read.
  public func configuration() throws -> CheckConfiguration { try open().configuration }

  /// The search for its bundles and mapping models.
  public func search() throws -> ProjectSearch { try open().search }

  /// The error if a folder has bundles and the project excludes all of them.
  ///
  /// - Parameter folder: the folder; nil for the project's.
  /// - Returns: the error; nil if a bundle is left, or if there are none.
  package func exclusion(under folder: String?) throws -> WorkspaceError? {
    let (configuration, search) = try open()
    let folder = folder ?? search.project.path
    guard let path = configuration.path, search.files(under: folder).bundles.isEmpty,
      !search.allFiles(under: folder).bundles.isEmpty
    else { return nil }
    return .everythingExcluded(configuration: path)
  }

  /// The reason why a folder lacks a bundle.
  package func noBundle(under folder: String) throws -> WorkspaceError {
    try exclusion(under: folder) ?? .noBundle(folder: folder)
  }

  private func open() throws -> Opened {
    try opened.value {
      if isOfNamed { return (CheckConfiguration(), ProjectSearch(in: .unmarked("."))) }
      let configuration = try CheckConfiguration.nearest()
      return (configuration, search(by: configuration))
    }
  }

  /// The same search with a different configuration.
  func search(by configuration: CheckConfiguration) -> ProjectSearch {
    ProjectSearch(excluding: configuration.excludes, cache: cache)
  }
}
