import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport

/// Models to generate code from: those of the package, and some of the corpus.
enum ExampleModels {
  struct Example: Sendable {
    let path: String
    let model: ManagedObjectModel
  }

  /// Every version of the sample models.
  static func samples() throws -> [Example] {
    try ["Company", "Family", "Orders", "Staff", "Todo"].flatMap { name in
      try ModelBundle(at: SampleModels.path(name)).versions.map { version in
        Example(path: "\(name)@\(version.name)", model: try version.load().model)
      }
    }
  }

  /// Models of the corpus that form a hierarchy: contents files, archives of editors, and the models that stores hold.
  ///
  /// - Parameter limit: the most models of a run that is not thorough.
  /// - Returns: the models with the paths of their files.
  static func corpus(atMost limit: Int) -> [Example] {
    var files = Corpus.files(in: "models", where: { $0 == "contents" })
    files += Corpus.files(in: "models-by-hash", where: { $0.hasSuffix(".contents") || $0.hasSuffix(".elements") })
    files += Corpus.files(in: "stores-empty", where: { $0.hasSuffix(".sqlite") })
    if !Thoroughness.isFull {
      var generator = SeededGenerator(seed: CorpusSample.seed)
      files.shuffle(using: &generator)
      files = Array(files.prefix(limit))
    }
    return files.compactMap { file in
      guard let model = try? model(of: file), (try? EntityHierarchy(model)) != nil else { return nil }
      return Example(path: file.path, model: model)
    }
  }

  private static func model(of file: URL) throws -> ManagedObjectModel? {
    switch file.pathExtension {
    case "elements": return try ElementsReader.read(fileAt: file.path).model
    case "sqlite":
      let folder = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: file.path, toPath: folder.path("store.sqlite"))
      let reader = try StoreReader(path: folder.path("store.sqlite"))
      defer { reader.close() }
      return try reader.identify(among: []).model
    default: return try ContentsReader.read(fileAt: file.path).model
    }
  }
}
