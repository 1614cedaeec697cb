import Foundation

/// The files that a mapping model comes in, by the form their path shows.
public enum MappingPath {
  /// The form of a mapping model's file.
  public enum Form: Hashable, Sendable, CaseIterable {
    /// `.xcmappingmodel`, or the `xcmapping.xml` in it.
    case xcode
    /// `.cdm`, what Xcode compiles it to.
    case compiled
    /// Our own XML.
    case document
  }

  /// The folder that holds a folder of mapping files for each model bundle.
  public static let folderName = "Migrations"

  /// The form of a file, by its name; nil for a name that no mapping model has.
  public static func form(of path: String) -> Form? {
    let name = BundlePath.trimmed(path)
    switch BundlePath.pathExtension(name).lowercased() {
    case "xcmappingmodel": return .xcode
    case "cdm": return .compiled
    case "xml": return name.hasSuffix("xcmapping.xml") ? .xcode : .document
    default: return nil
    }
  }

  /// The name of the model bundle that one of our files is for: that of its folder inside `Migrations`.
  public static func bundleName(of path: String) -> String? {
    let parts = BundlePath.components(path)
    guard parts.count > 2, parts[parts.count - 3] == folderName else { return nil }
    return parts[parts.count - 2]
  }

  /// Every mapping model that belongs to a bundle: those below the current folder, or, for a bundle elsewhere, those
  /// in the folder that holds it and in `Migrations` beside that folder.
  ///
  /// - Parameter bundle: the path of a bundle or of a folder with bundles; nil for the current folder.
  /// - Returns: the paths, sorted in each folder.
  public static func discover(near bundle: String?) -> [String] {
    var seen: Set<String> = []
    return folders(near: bundle).flatMap(discover(under:)).filter { seen.insert($0).inserted }
  }

  /// The folders below which ``discover(near:)`` looks.
  ///
  /// - Parameter bundle: the path of a bundle or of a folder with bundles; nil for the current folder.
  /// - Returns: the paths of the folders, which need not be there.
  public static func folders(near bundle: String?) -> [String] {
    guard let bundle else { return ["."] }
    let folder = BundlePath.parent((bundle as NSString).standardizingPath)
    guard folder.hasPrefix("/") || folder.hasPrefix("..") else { return ["."] }
    return [folder, BundlePath.joined(BundlePath.parent(folder), folderName)]
  }

  /// Every mapping model below a folder, sorted: `.xcmappingmodel`, `.cdm`, and `Migrations/<Bundle>/*.xml`.
  ///
  /// Hidden folders are left out and links to folders are not followed.
  public static func discover(under folder: String) -> [String] {
    let start = BundlePath.trimmed(folder.isEmpty ? "." : folder)
    var found: [String] = []
    var open: [(path: String, depth: Int)] = [(start, 0)]
    var visited = 0
    while let next = open.popLast(), visited < ModelBundle.discoveryLimit {
      visited += 1
      for name in (try? FileManager.default.contentsOfDirectory(atPath: next.path)) ?? [] where !name.hasPrefix(".") {
        let path = next.path == "." ? name : BundlePath.joined(next.path, name)
        switch form(of: name) {
        case .xcode? where name != "xcmapping.xml", .compiled?: found.append(path)
        case .document? where bundleName(of: "./" + path) != nil: found.append(path)
        case nil where next.depth < ModelBundle.discoveryDepth && ModelBundle.isFolder(path):
          guard ModelBundle.Form(rawValue: BundlePath.pathExtension(name)) == nil else { continue }
          open.append((path, next.depth + 1))
        default: continue
        }
      }
    }
    return VersionOrder.sorted(found)
  }
}
