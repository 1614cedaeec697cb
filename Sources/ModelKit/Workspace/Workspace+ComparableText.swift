import ModelDescription
import ModelFiles
import PersistentStores
import Reports
import StoreContents
import VersionHashing

extension Workspace {
  /// The text that git compares: all settings of a model, or the objects of a store.
  ///
  /// Any other file, such as one with
  /// conflict markers, is returned unchanged, because git stops if its converter fails.
  package func comparableText(ofFileAt path: String) throws -> String {
    if let text = storeText(path) { return text }
    if let model = try? self.model(path).file.model { return CompleteModelText(model).text }
    do {
      return String(decoding: try FileBytes.read(path), as: UTF8.self)
    } catch ModelFileError.empty {
      return ""
    }
  }

  /// The objects of a store; nil if the file is not a store.
  private func storeText(_ path: String) -> String? {
    // Git asks once for each blob, and of other models that cannot be read it wants no word.
    var quiet = self
    quiet.report = { _ in }
    guard let workspace = try? quiet.load(), let reader = try? workspace.reader(of: path),
      let metadata = try? reader.metadata()
    else { return nil }
    defer { reader.close() }
    guard let model = try? workspace.identify(by: reader).model, let hierarchy = try? EntityHierarchy(model) else {
      return StoreText(uuid: metadata.uuid, checksum: metadata.versionHashes.checksum).text
    }
    return (try? StoreContentsList(of: reader, model: hierarchy)).map { StoreText($0).text }
  }
}
