import ModelDescription
import ModelFiles
package import StoreContents

extension Workspace {
  /// Says that a text of objects is loaded as objects of a version.
  ///
  /// - Parameters:
  ///   - source: the file, or the folder of tables.
  ///   - form: the form of the text.
  ///   - argument: what names the version; nil for the current one.
  /// - Returns: what loads the text, with the versions here by which its messages name others.
  /// - Throws: as `model(_:configuration:)`, and ``WorkspaceError`` for a model whose inheritance is broken.
  package func loading(_ source: String, as form: LoadForm, to argument: String?) throws -> StoreLoading {
    // The version may be named by a store, which is of any configuration.
    var whole = self
    whole.configuration = nil
    let (name, file) = try whole.model(argument, configuration: configuration)
    let version = try WorkspaceError.locating(in: file, named: name) {
      try LoadedVersion(bundle: "", name: name, isCurrent: true, model: file.model)
    }
    // What is wrong with other versions is not what this is about.
    var quiet = self
    quiet.report = { _ in }
    let known = (try? quiet.load().versions) ?? []
    return StoreLoading(source, form: form, version: version, versions: known + [version])
  }
}
