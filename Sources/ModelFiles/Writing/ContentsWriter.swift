import Foundation

/// Writes elements as text.
struct ContentsWriter {
  private let style: ContentsStyle
  private let lineEnd: [UInt8]
  private let indentation: [UInt8]

  init(_ style: ContentsStyle) {
    self.style = style
    (lineEnd, indentation) = (Array(style.lineEnd.utf8), Array(style.indentation.utf8))
  }

  /// A whole file.
  func data(of root: ContentsElement) -> Data {
    var bytes: [UInt8] = []
    for line in [style.declaration, style.prologue] where !line.isEmpty { bytes += Array(line.utf8) + lineEnd }
    write(root, depth: 0, to: &bytes)
    if style.endsLastLine { bytes += lineEnd }
    return Data(bytes)
  }

  /// An element without the end of its last line, the first line indented as well.
  func bytes(of element: ContentsElement, depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    write(element, depth: depth, to: &bytes)
    return bytes
  }

  /// The start of an element's first tag, up to its last attribute.
  func head(of element: ContentsElement) -> String {
    "<\(element.name)" + element.attributes.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
  }

  /// The depth is that of the file that was read, which is bounded, or of a model.
  private func write(_ element: ContentsElement, depth: Int, to bytes: inout [UInt8]) {
    indent(depth, &bytes)
    bytes += head(of: element).utf8
    guard !element.children.isEmpty else {
      bytes += "/>".utf8
      return
    }
    bytes += ">".utf8
    for child in element.children {
      bytes += lineEnd
      write(child, depth: depth + 1, to: &bytes)
    }
    bytes += lineEnd
    indent(depth, &bytes)
    bytes += "</\(element.name)>".utf8
  }

  private func indent(_ depth: Int, _ bytes: inout [UInt8]) {
    for _ in 0..<depth { bytes += indentation }
  }

  private func escaped(_ value: String) -> String {
    let text = XMLText.attribute(value)
    return style.escapesGreaterThan ? text : text.replacing("&gt;", with: ">")
  }
}
