/// The colours of a terminal in a text.
package enum Colors {
  /// The text without the escape sequences that colour it; others stay.
  package static func removed(from text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }

  /// The colours that a text uses, each as the parameters of its sequence.
  package static func used(in text: String) -> Set<String> {
    Set(text.matches(of: /\u{1B}\[([0-9;]+)m/).map { String($0.1) })
  }
}
