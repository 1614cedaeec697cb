extension String {
  /// Whether another name only seems to be this one: “é” is one character or two, an “e” and an accent.
  ///
  /// Swift takes the two for equal; hashes, SQLite and Core Data do not.
  package func isRespelled(as other: String) -> Bool {
    self == other && (utf8.count != other.utf8.count || !utf8.elementsEqual(other.utf8))
  }
}
