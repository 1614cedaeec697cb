import ModelFiles

/// Writes text so that XML and HTML take it as it is, between tags and in the values of attributes.
enum MarkupText {
  /// The text on one line, control characters written out.
  static func escaped(_ text: String) -> String {
    XMLText.attribute(PrintableText.line(text)).replacing("'", with: "&#39;")
  }
}
