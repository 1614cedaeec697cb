import ModelKit

/// What arguments name: paths that bundles are looked for under, and models by themselves.
struct ModelFiles {
  /// The paths of bundles and of folders with bundles.
  let paths: [String]
  /// The models by themselves.
  private(set) var models: [ModelFile] = []
  /// The errors of those that cannot be read.
  private(set) var errors: [any Error] = []

  /// Takes a folder that has no bundle any more.
  init(under folder: String) { paths = [folder] }

  /// Takes arguments apart, as paths from this folder; one that cannot be read does not hide the others.
  ///
  /// - Parameters:
  ///   - arguments: the arguments; everything here when there are none.
  ///   - options: where names are looked up.
  /// - Throws: ``CommandError/noBundle(folder:)`` when there are no arguments, and no bundle either.
  init(_ arguments: [String], _ options: ModelOptions) throws {
    let start = RelativePath.text(options.model ?? ".")
    let arguments = arguments.map { RelativePath.text($0) }
    guard !arguments.isEmpty else {
      guard !ModelBundle.bundlePaths(under: start).isEmpty else { throw CommandError.noBundle(folder: start) }
      paths = [start]
      return
    }
    paths = arguments.filter { !ModelBundle.bundlePaths(under: $0).isEmpty }
    for argument in arguments where ModelBundle.bundlePaths(under: argument).isEmpty {
      do { models.append(try options.resolve(argument).file) } catch { errors.append(error) }
    }
  }
}
