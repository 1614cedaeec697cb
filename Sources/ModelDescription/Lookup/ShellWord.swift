/// A text as one word of a shell command, quoted only where it must be.
package struct ShellWord {
  /// The word.
  package let text: String

  /// Makes a word that a shell reads back as this text.
  package init(_ raw: String) {
    let plain = raw.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+@,:=".utf8.contains(byte)
    }
    let parts = raw.split(separator: "'", omittingEmptySubsequences: false)
    text = plain && !raw.isEmpty ? raw : "'" + parts.joined(separator: "'\\''") + "'"
  }

  /// Makes a word of a path, which no program takes for an option.
  package init(path: String) { self.init(path.hasPrefix("-") ? "./\(path)" : path) }
}
