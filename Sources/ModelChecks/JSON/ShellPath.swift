/// A path in a command that is shown.
enum ShellPath {
  /// The path as a shell takes it, whatever it holds; bare where that is the same.
  static func quoted(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+@".contains($0)) }
    guard !isPlain || path.isEmpty || path.hasPrefix("-") else { return path }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
