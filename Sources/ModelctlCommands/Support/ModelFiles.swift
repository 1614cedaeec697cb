import ModelKit

/// What arguments name: paths that bundles are looked for under, and models by themselves.
struct ModelFiles {
  /// The paths of bundles and of folders with bundles.
  let paths: [String]
  /// The models by themselves.
  private(set) var models: [ModelFile] = []
  /// The errors of those that cannot be read.
  private(set) var errors: [any Error] = []

  /// Takes folders that have no bundle any more.
  init(under folders: [String]) { paths = folders }

  /// Takes arguments apart, as paths from this folder; one that cannot be read does not hide the others.
  ///
  /// What lies in a bundle, and a version of one, stands for the bundle: by itself it would have no history.
  ///
  /// - Parameters:
  ///   - arguments: the arguments; everything here when there are none.
  ///   - options: where names are looked up.
  ///   - search: where bundles are looked for.
  /// - Throws: ``CommandError/noBundle(folder:)`` when there are no arguments, and no bundle either.
  init(_ arguments: [String], _ options: ModelOptions, _ search: ProjectSearch) throws {
    let arguments = arguments.map(Self.place)
    guard !arguments.isEmpty else {
      let starts = Self.starts(options, search)
      for start in starts where search.allFiles(under: start).bundles.isEmpty {
        throw CommandError.noBundle(folder: start)
      }
      paths = starts
      return
    }
    var paths: [String] = []
    for argument in arguments {
      guard search.allFiles(under: argument).bundles.isEmpty else {
        paths.append(argument)
        continue
      }
      do {
        let file = try options.resolve(argument).file
        if let bundle = EnclosingBundle.path(of: file.path) { paths.append(bundle) } else { models.append(file) }
      } catch {
        errors.append(error)
      }
    }
    self.paths = paths
  }

  /// What is checked where there are no arguments.
  static func starts(_ options: ModelOptions, _ search: ProjectSearch) -> [String] {
    options.paths.isEmpty ? [search.project.path] : options.paths.map(place)
  }

  private static func place(_ path: String) -> String { EnclosingBundle.path(of: path) ?? RelativePath.text(path) }
}
