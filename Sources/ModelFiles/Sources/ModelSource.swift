/// Where a model comes from: what a MODEL argument names once it is known to exist.
public enum ModelSource: Hashable, Sendable {
  /// A version in a bundle.
  case version(ModelVersion)
  /// A single file outside any bundle.
  case file(path: String, form: ModelVersion.Form)
  /// A file in a revision of git.
  case revision(GitFile)

  /// Reads the model.
  ///
  /// - Throws: ``ModelFileError``.
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
}
