public import ModelChecks
import ModelDescription
public import ModelFiles

/// The project that the working directory is in: its configuration, and where its bundles and mapping models are.
///
/// Nothing is read until something is asked for, and then once.
public final class Project: Sendable {
  private typealias Opened = (configuration: CheckConfiguration, search: ProjectSearch)
  private let opened = Once<Result<Opened, any Error>>()
  private let cache: String?
  /// True for what a program named, which belongs to no project: the working directory, configurations and git do not matter.
  let isOfNamed: Bool

  /// Names the project; nothing is read.
  ///
  /// - Parameter cache: a folder of the user's in which to keep what was seen of large projects; nil for none.
  public convenience init(cache: String? = nil) { self.init(cache: cache, isOfNamed: false) }

  private init(cache: String?, isOfNamed: Bool) { (self.cache, self.isOfNamed) = (cache, isOfNamed) }

  /// Stands for the project of what a program named without one.
  static func ofNamed() -> Project { Project(cache: nil, isOfNamed: true) }

  /// What the project has decided.
  ///
  /// - Throws: `JSONFileError` with the location of what is wrong in its file, and `ModelFileError` when the file
  ///   cannot be read.
  public func configuration() throws -> CheckConfiguration { try open().configuration }

  /// Where its bundles and mapping models are.
  public func search() throws -> ProjectSearch { try open().search }

  /// What is wrong where there are bundles below a folder and the project leaves out every one.
  ///
  /// - Parameter folder: the folder; nil for the project's.
  /// - Returns: nil where bundles are left, and where there are none.
  package func exclusion(under folder: String?) throws -> WorkspaceError? {
    let (configuration, search) = try open()
    let folder = folder ?? search.project.path
    guard let path = configuration.path, search.files(under: folder).bundles.isEmpty,
      !search.allFiles(under: folder).bundles.isEmpty
    else { return nil }
    return .everythingExcluded(configuration: path)
  }

  /// Why there is no bundle below a folder.
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

  /// The same places, found by another configuration.
  func search(by configuration: CheckConfiguration) -> ProjectSearch {
    ProjectSearch(excluding: configuration.excludes, cache: cache)
  }
}
