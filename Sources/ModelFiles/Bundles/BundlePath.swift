import Foundation

/// The parts of a path, as text; no file is read.
package enum BundlePath {
  private static let slash = UInt8(ascii: "/")

  /// The path without slashes at its end.
  package static func trimmed(_ path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == slash { bytes = bytes.dropLast() }
    return String(Substring(bytes))
  }

  /// The names between the slashes, empty ones left out.
  ///
  /// They are taken apart by bytes, as the file system does: a slash and a combining accent are one `Character`.
  package static func components(_ path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  package static func lastComponent(_ path: String) -> String { components(path).last ?? "" }

  /// The extension without its dot; empty if there is none.
  package static func pathExtension(_ path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The last component without its extension.
  package static func stem(_ path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The path of the folder that contains the last component.
  package static func parent(_ path: String) -> String {
    let bytes = trimmed(path).utf8
    guard let last = bytes.lastIndex(of: slash) else { return "." }
    return last == bytes.startIndex ? "/" : String(Substring(bytes[..<last]))
  }

  package static func joined(_ folder: String, _ name: String) -> String {
    folder.utf8.last == slash ? folder + name : "\(folder)/\(name)"
  }

  /// A folder in a sentence: `this folder` for a full stop.
  package static func words(_ folder: String) -> String { folder == "." ? "this folder" : folder }

  /// True for a text that can only be meant as a path.
  package static func looksLikePath(_ text: String) -> Bool {
    text.utf8.contains(slash) || ["contents", "elements"].contains(text)
      || ["xcdatamodeld", "xcdatamodel", "momd", "mom", "sqlite", "store"].contains(pathExtension(text))
  }
}

/// Paths with their links resolved.
package enum RealPath {
  /// The absolute path with every link followed, as the system opens it.
  ///
  /// Foundation takes `link/..` for the folder of the link; the system starts at the destination of the link.
  ///
  /// - Returns: the path itself, made absolute, if it does not exist.
  package static func of(_ path: String) -> String { existing(path) ?? URL(fileURLWithPath: path).path }

  /// The resolved path of an existing file; nil if it does not exist.
  package static func existing(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }
}
