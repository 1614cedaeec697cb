/// A text as it enters a hash, byte for byte: “é” of one character and “é” of two are not the same.
package struct HashedText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (first: HashedText, second: HashedText) -> Bool {
    first.text == second.text && !first.text.isRespelled(as: second.text)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
