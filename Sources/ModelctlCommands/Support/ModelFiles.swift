import ModelKit

/// The model files that arguments name: every version of a bundle, every bundle of a folder.
struct ModelFiles {
  private let arguments: [String]
  private let options: ModelOptions

  init(_ arguments: [String], _ options: ModelOptions) {
    self.arguments = arguments
    self.options = options
  }

  /// Reads them all; one that cannot be read does not hide the others.
  ///
  /// - Returns: the files, and the errors of those that cannot be read.
  /// - Throws: ``CommandError/noBundle(folder:)`` when nothing is there.
  func loaded() throws -> (files: [ModelFile], errors: [any Error]) {
    var files: [ModelFile] = []
    var errors: [any Error] = []
    func load(_ source: () throws -> ModelFile) {
      do { files.append(try source()) } catch { errors.append(error) }
    }
    for argument in arguments where ModelBundle.bundlePaths(under: argument).isEmpty {
      load { try options.resolve(argument).file }
    }
    let folders =
      arguments.isEmpty ? [options.model ?? "."] : arguments.filter { !ModelBundle.bundlePaths(under: $0).isEmpty }
    for path in folders.flatMap(ModelBundle.bundlePaths(under:)) {
      do {
        let bundle = try ModelBundle(at: path)
        for version in bundle.versions { load { try version.load() } }
        if let error = bundle.currentVersionError { errors.append(error) }
      } catch {
        errors.append(error)
      }
    }
    if files.isEmpty, errors.isEmpty { throw CommandError.noBundle(folder: options.model ?? ".") }
    return (files, errors)
  }
}
