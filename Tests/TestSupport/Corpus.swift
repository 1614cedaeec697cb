public import Foundation

/// The folder of real models and stores that the tests hold the program against, when it is there.
public enum Corpus {
  /// The corpus folder: `MODELCTL_CORPUS`, else `../shared/corpus` beside the package; nil when neither exists.
  public static let folder: URL? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder =
      ProcessInfo.processInfo.environment["MODELCTL_CORPUS"].map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? package.deletingLastPathComponent().appendingPathComponent("shared/corpus", isDirectory: true)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? folder : nil
  }()

  /// True when corpus tests can run.
  public static var isPresent: Bool { folder != nil }

  /// The message of a skipped corpus test.
  public static let absence = "no corpus: set MODELCTL_CORPUS to its folder to run this test"

  /// Every SQLite store, with rows and without.
  public static var sqliteStores: [URL] {
    ["stores", "stores-empty"].flatMap { files(in: $0) { $0.hasSuffix(".sqlite") } }
  }

  /// Every file below a folder of the corpus whose name the condition accepts, sorted by path.
  public static func files(in subfolder: String, where accepts: (String) -> Bool) -> [URL] {
    guard let root = folder?.appendingPathComponent(subfolder),
      let names = FileManager.default.enumerator(atPath: root.path)
    else { return [] }
    return names.compactMap { $0 as? String }.filter { accepts(($0 as NSString).lastPathComponent) }.sorted()
      .map { root.appendingPathComponent($0) }
  }
}
