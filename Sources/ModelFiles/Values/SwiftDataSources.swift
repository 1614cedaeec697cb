import Foundation
package import ModelDescription

/// The `@Model` classes of SwiftData in Swift source code, which modelctl does not read.
package enum SwiftDataSources {
  /// The cause if a Swift file is named in place of a model or a store.
  package static let cause = "modelctl does not read @Model classes"
  /// The remedy if a Swift file is named in place of a model or a store.
  package static let advice: Advice = "name a store that the app wrote; see \(page)"

  private static let page = "docs/start/swiftdata.md"
  /// The maximum number of files and folders to look at.
  private static let limit = 2_000
  /// The maximum number of bytes of a file to look into.
  private static let sizeLimit = 256 << 10

  /// Whether a path is that of a Swift file.
  package static func isFile(_ path: String) -> Bool { BundlePath.pathExtension(path).lowercased() == "swift" }

  /// The remedy if a folder contains no model; nil if no Swift file in it contains `@Model`.
  package static func advice(inFolder folder: String) -> Advice? {
    guard haveClasses(inFolder: folder) else { return nil }
    return "name a store that the app wrote, because \(cause), as there are here; see \(page)"
  }

  private static func haveClasses(inFolder folder: String) -> Bool {
    let files = FileManager.default.enumerator(
      at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    for (position, file) in (files ?? .init()).enumerated() {
      guard position < limit else { return false }
      guard let file = file as? URL, isFile(file.path), let data = try? FileBytes.read(file.path, limit: sizeLimit)
      else { continue }
      if data.range(of: Data("@Model".utf8)) != nil { return true }
    }
    return false
  }
}
