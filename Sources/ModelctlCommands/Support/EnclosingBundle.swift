import Foundation
import ModelKit

/// The bundle around a path, so that a part of a bundle is checked as what it is a part of.
enum EnclosingBundle {
  /// Finds the outermost bundle of the editor that a path is, or lies in.
  ///
  /// - Parameters:
  ///   - path: a path, as it was given.
  ///   - folder: the absolute path of the folder to start from.
  /// - Returns: the bundle's path from the folder, ending in the bundle's name; nil for a path that is in none.
  static func path(of path: String, from folder: String = FileManager.default.currentDirectoryPath) -> String? {
    let base = URL(fileURLWithPath: folder, isDirectory: true)
    let start = URL(fileURLWithPath: path, relativeTo: base)
    let parts = start.standardizedFileURL.path.split(separator: "/").map(String.init)
    guard let end = parts.firstIndex(where: { isBundleName($0) }) else { return nil }
    let bundle = "/" + parts[...end].joined(separator: "/")
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: bundle, isDirectory: &isFolder), isFolder.boolValue else { return nil }
    // Both in the standard form, from which macOS leaves `/private` out.
    let parent = RelativePath.text(
      "/" + parts[..<end].joined(separator: "/"), from: base.standardizedFileURL.path)
    return parent == "." ? parts[end] : "\(parent)/\(parts[end])"
  }

  private static func isBundleName(_ name: String) -> Bool {
    [ModelBundle.Form.versioned, .single].contains { form in
      name.count > form.rawValue.count + 1 && name.lowercased().hasSuffix(".\(form.rawValue)")
    }
  }
}
