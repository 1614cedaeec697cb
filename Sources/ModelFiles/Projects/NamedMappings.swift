import Foundation

/// The mapping models of named bundles, found without searching folders.
///
/// They are in the bundle's folder, and in `Migrations` in that folder and next to it.
package enum NamedMappings {
  /// Finds them.
  ///
  /// - Parameter bundles: the paths of the bundles.
  /// - Returns: the paths, each once, sorted in each folder.
  package static func paths(beside bundles: [String]) -> [String] {
    var seen: Set<String> = []
    return bundles.flatMap { bundle -> [String] in
      let folder = BundlePath.parent(bundle)
      let homes = [folder, parent(folder)].map { BundlePath.joined($0, MappingPath.folderName) }
      // A mapping file of our own is in the folder of its bundle.
      let xcode = names(in: folder).filter(isXcode).map { BundlePath.joined(folder, $0) }
      return xcode + homes.flatMap(mappings)
    }
    .filter { seen.insert($0).inserted }
  }

  private static func mappings(in home: String) -> [String] {
    names(in: home).flatMap { name -> [String] in
      let path = BundlePath.joined(home, name)
      if isXcode(name) { return [path] }
      guard ProjectFiles.isFolder(path) else { return [] }
      return names(in: path).filter { MappingPath.form(of: $0) != nil }.map { BundlePath.joined(path, $0) }
    }
  }

  private static func isXcode(_ name: String) -> Bool { [.xcode, .compiled].contains(MappingPath.form(of: name)) }

  /// The names in a folder; empty if it cannot be read.
  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func parent(_ folder: String) -> String {
    switch BundlePath.lastComponent(folder) {
    case ".", "..": BundlePath.joined(folder, "..")
    default: BundlePath.parent(folder)
    }
  }
}
