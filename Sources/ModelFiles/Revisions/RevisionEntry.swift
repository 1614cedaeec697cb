import Foundation

/// A file of a revision that matters to models.
struct RevisionEntry {
  /// The hash of its bytes.
  let hash: String
  /// Its path from the top of the repository.
  let path: String

  /// Reads a line of `git ls-tree -r -z`: `mode SP type SP hash TAB path`.
  ///
  /// Nil for what is no plain file (a link, a submodule), for a path that would leave a folder it is written into, and
  /// for files that no command reads.
  init?(_ line: Data) {
    guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let fields = line[..<tab].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count == 3, ["100644", "100755", "100664"].contains(fields[0]), fields[1] == "blob",
      ResolvedRevision.isHash(fields[2]), let path = String(data: line[line.index(after: tab)...], encoding: .utf8)
    else { return nil }
    guard Self.staysInside(path), Self.matters(BundlePath.components(path)) else { return nil }
    hash = fields[2]
    self.path = path
  }

  /// True for a file of a mapping model.
  var isMappingModel: Bool { MappingPath.form(of: path) != nil }

  private static func staysInside(_ path: String) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.allSatisfy { name in
      !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8) && !name.contains(0)
    }
  }

  /// Bundles, lock files, the configuration and mapping models; not in hidden folders, which nothing looks into.
  private static func matters(_ components: [String]) -> Bool {
    guard let name = components.last, !components.dropLast().contains(where: { $0.hasPrefix(".") }) else {
      return false
    }
    let folder = components.dropLast().last.map { BundlePath.pathExtension($0).lowercased() } ?? ""
    switch folder {
    case "xcdatamodel": return name == "contents" || name == "elements"
    case "xcdatamodeld": return name == ".xccurrentversion"
    case "momd": return name == "VersionInfo.plist" || BundlePath.pathExtension(name) == "mom"
    case "xcmappingmodel": return name == "xcmapping.xml"
    default: break
    }
    switch BundlePath.pathExtension(name).lowercased() {
    case "mom", "cdm": return true
    case "xml": return MappingPath.bundleName(of: "./" + components.joined(separator: "/")) != nil
    default: return name == ProjectFolder.configurationName || name.hasSuffix(ProjectFiles.lockSuffix)
    }
  }
}
