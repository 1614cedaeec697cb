import Foundation
import ModelFiles

/// Writes a property list as an XML store holds it.
struct XMLPropertyListText {
  private(set) var lines: [String] = []

  /// The lines of a list, of which the first is indented by so many times four spaces.
  ///
  /// - Throws: ``StoreDocumentError`` for what the XML form has no place for.
  static func lines(of list: PropertyList, indentation: Int) throws -> [String] {
    var text = XMLPropertyListText()
    try text.append(list, indentation: indentation, depth: 0)
    return text.lines
  }

  private mutating func append(_ list: PropertyList, indentation: Int, depth: Int) throws {
    guard depth < 100 else {
      throw StoreDocumentError(path: "", nil, .oversized("the metadata is nested more than 100 deep"))
    }
    let space = String(repeating: "    ", count: indentation)
    switch list {
    case .array(let elements) where !elements.isEmpty:
      lines.append(space + "<array>")
      for element in elements { try append(element, indentation: indentation + 1, depth: depth + 1) }
      lines.append(space + "</array>")
    case .dictionary(let entries) where !entries.isEmpty:
      lines.append(space + "<dict>")
      for (key, value) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        lines.append("\(space)    <key>\(try Self.text(key))</key>")
        try append(value, indentation: indentation + 1, depth: depth + 1)
      }
      lines.append(space + "</dict>")
    default: lines.append(space + (try Self.leaf(list, depth: depth)))
    }
  }

  private static func leaf(_ list: PropertyList, depth: Int) throws -> String {
    switch list {
    case .string(let text): return "<string>\(try Self.text(text))</string>"
    case .integer(let number): return "<integer>\(number)</integer>"
    case .unsigned(let number): return "<integer>\(number)</integer>"
    case .real(let number): return "<real>\(number)</real>"
    case .single(let number): return "<real>\(Double(number))</real>"
    case .boolean(let flag): return flag ? "<true></true>" : "<false></false>"
    // The XML form has whole seconds.
    case .date(let seconds) where abs(seconds) < 1e11:
      return "<date>\(Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)).formatted(.iso8601))</date>"
    case .data(let bytes): return data(bytes, depth: depth)
    case .array: return "<array></array>"
    case .dictionary: return "<dict></dict>"
    case .date, .uid:
      throw StoreDocumentError(path: "", nil, .metadata("the metadata has a value that no property list in XML has"))
    }
  }

  /// Data as property lists have it, which the store indents by tabs of its own.
  private static func data(_ bytes: Data, depth: Int) -> String {
    let tabs = String(repeating: "\t", count: depth)
    var rest = bytes.base64EncodedString()[...]
    var lines: [String] = []
    while !rest.isEmpty {
      lines.append("\(tabs)\(rest.prefix(max(4, 76 - 8 * depth)))\n")
      rest = rest.dropFirst(max(4, 76 - 8 * depth))
    }
    return "<data>\n\(lines.joined())\(tabs)</data>"
  }

  private static func text(_ text: String) throws -> String {
    guard XMLStoreWriter.isWritable(text) else {
      throw StoreDocumentError(path: "", nil, .metadata("the metadata has a character that XML cannot hold"))
    }
    return XMLText.content(text)
  }
}
