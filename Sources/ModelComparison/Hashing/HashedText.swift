import ModelDescription

/// A text as it enters a hash, byte for byte: “é” of one character and “é” of two are not the same.
struct HashedText: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (first: HashedText, second: HashedText) -> Bool {
    first.text == second.text && !first.text.isRespelled(as: second.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
