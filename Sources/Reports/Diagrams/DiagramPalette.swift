/// The colours of marked parts in pictures; words and lines say the same.
enum DiagramPalette {
  /// The ground of a box.
  static func fill(_ mark: Diagram.Mark?) -> String {
    switch mark {
    case .added: "#e3f6e5"
    case .removed: "#fbe6e6"
    case .changed: "#fdf3d7"
    case nil: "#ffffff"
    }
  }

  /// Lines and what is written beside them.
  static func line(_ mark: Diagram.Mark?) -> String {
    switch mark {
    case .added: "#135c26"
    case .removed: "#8f1717"
    case .changed: "#6b4700"
    case nil: "#3d4656"
    }
  }
}
