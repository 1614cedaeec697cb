/// The parts of a path, as text; nothing is looked up.
package enum BundlePath {
  /// The path without slashes at its end.
  package static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path = path.dropLast() }
    return String(path)
  }

  package static func lastComponent(_ path: String) -> String {
    trimmed(path).split(separator: "/").last.map(String.init) ?? ""
  }

  /// The extension without its dot, empty when there is none.
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

  /// The path of the folder that holds the last component.
  package static func parent(_ path: String) -> String {
    let trimmed = trimmed(path)
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  package static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// True for a text that can only be meant as a path.
  package static func looksLikePath(_ text: String) -> Bool {
    text.contains("/") || ["contents", "elements"].contains(text)
      || ["xcdatamodeld", "xcdatamodel", "momd", "mom", "sqlite", "store"].contains(pathExtension(text))
  }
}
