import Foundation

/// The file forms of a mapping model, by their paths.
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

  /// The folder that contains a folder of mapping files for each model bundle.
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

  /// The name of one of our files, by its versions; merged ones may be named by paths, and have many parts.
  static func fileName(from source: String, to destination: String) -> String {
    let names = [source, destination].map { name in
      let parts = MergedName(name).parts
      let merged = parts.allSatisfy { $0.contains("@") } ? parts.joined(separator: "+") : name
      var plain = merged.replacingOccurrences(of: MergedName.separator, with: "+")
        .replacingOccurrences(of: "/", with: "-")
      while plain.utf8.count > 120 { plain.removeLast() }
      // What begins with a full stop is looked at by nobody.
      return String(plain.drop { $0 == "." })
    }
    return "\(names.joined(separator: "-")).xml"
  }

  /// Every mapping model below a folder, sorted; what ``ProjectFiles`` leaves out is left out here too.
  public static func discover(under folder: String) -> [String] { ProjectFiles.found(under: folder).mappings }
}
