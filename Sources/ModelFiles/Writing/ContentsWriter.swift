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

  private func indent(_ depth: Int, _ bytes: inout [UInt8]) { for _ in 0..<depth { bytes += indentation } }

  private func escaped(_ value: String) -> String {
    let text = XMLText.attribute(value)
    return style.escapesGreaterThan ? text : text.replacing("&gt;", with: ">")
  }
}

/// An element of a `contents` file as a value: what is written of it but for the form of the text.
struct ContentsElement: Hashable, Sendable {
  /// An attribute in the file's order.
  struct Attribute: Hashable, Sendable {
    var name: String
    var value: String
  }

  var name: String
  var attributes: [Attribute] = []
  var children: [ContentsElement] = []

  init(_ name: String, children: [ContentsElement] = []) { (self.name, self.children) = (name, children) }

  /// Takes an element of a document; the reader has bounded its depth.
  init(_ node: MarkupNode) {
    name = node.name
    attributes = node.attributes.map { Attribute(name: $0.name, value: $0.value) }
    children = node.children.map(ContentsElement.init)
  }

  subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// Adds an attribute behind the others; one without a value is not written.
  mutating func set(_ attribute: String, _ value: String?) {
    if let value { attributes.append(Attribute(name: attribute, value: value)) }
  }

  /// Adds an attribute unless its value is empty.
  mutating func set(_ attribute: String, filled value: String?) {
    set(attribute, value.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// Adds an attribute that is written only when it is true.
  mutating func set(_ attribute: String, flag: Bool) { set(attribute, flag ? "YES" : nil) }

  /// The same with its attributes in the order in which Xcode writes them.
  func inEditorOrder() -> ContentsElement {
    var ordered = self
    ordered.attributes = attributes.enumerated().sorted { first, second in
      let ranks = [first, second].map { EditorOrder.rank(ofAttribute: $0.element.name, in: name) ?? .max }
      return (ranks[0], first.offset) < (ranks[1], second.offset)
    }.map(\.element)
    return ordered
  }
}
