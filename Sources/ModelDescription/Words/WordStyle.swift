/// Whether a sentence is made to be read or to be heard.
package enum WordStyle: Hashable, Sendable {
  /// With typographic quotation marks.
  case written
  /// Without signs that a voice would spell out or leave out.
  case spoken

  /// A text that is somebody's data, between quotation marks.
  package func quoted(_ text: String) -> String {
    switch self {
    case .written: "“\(text)”"
    case .spoken: "\"\(text)\""
    }
  }
}
