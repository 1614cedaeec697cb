/// What a piece of text means on a terminal, with the look that git and compilers give it.
///
/// Only the colours that every terminal theme chooses for its own background are used, so that contrast is the theme's;
/// plain blue and bright yellow, which many themes leave unreadable, are not among them. The text always says the same.
package enum TerminalColor: Hashable, Sendable, CaseIterable {
  /// An error, a refusal, a conflict.
  case error
  /// A warning.
  case warning
  /// A note, a hint.
  case note
  /// What is fine.
  case success
  /// What is added.
  case added
  /// What is removed.
  case removed
  /// What is changed.
  case changed
  /// The name of what the lines below are about.
  case heading
  /// What may be skipped, such as a comment.
  case aside

  /// The parameters of the escape sequence (ECMA-48, Select Graphic Rendition).
  private var parameters: String {
    switch self {
    case .error: "1;31"
    case .warning, .changed: "33"
    case .note: "36"
    case .success, .added: "32"
    case .removed: "31"
    case .heading: "1"
    case .aside: "2"
    }
  }

  /// The text in the colour, and the terminal's own look after it.
  package func applied(to text: some StringProtocol) -> String { "\u{1B}[\(parameters)m\(text)\u{1B}[m" }
}
