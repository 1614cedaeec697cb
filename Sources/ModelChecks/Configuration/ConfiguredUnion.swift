public import ModelFiles

/// Bundles that the app merges into one model, as a project names them.
public struct ConfiguredUnion: Hashable, Sendable {
  /// The paths of the bundles, from the folder of the file that names them.
  public let paths: [String]
  /// Where they are named, nil for the command line.
  public let location: SourceLocation?

  /// Makes a union of bundles.
  public init(paths: [String], location: SourceLocation? = nil) {
    (self.paths, self.location) = (paths, location)
  }
}
