import Foundation
import ModelFiles
import PersistentStores
import TestSupport

/// The models of the corpus's stores.
enum CorpusModels {
  /// The versions of the app whose store a file is.
  static func versions(beside store: URL) -> [LoadedVersion] {
    guard let models = Corpus.folder?.appendingPathComponent("models") else { return [] }
    let app = store.deletingLastPathComponent().lastPathComponent
    return LoadedVersion.load(from: ModelBundle.discover(under: models.appendingPathComponent(app).path)).versions
  }
}
