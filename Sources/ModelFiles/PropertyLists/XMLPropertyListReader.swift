import Foundation

/// Decodes property lists in the XML form.
enum XMLPropertyListReader {
  static func read(_ data: Data, path: String) throws(PropertyListError) -> PropertyList {
    let root: MarkupElement
    do {
      root = try MarkupReader.read(data, path: path)
    } catch {
      throw .badXML(error)
    }
    return try read(root)
  }

  /// Decodes the element of a list.
  static func read(_ root: MarkupElement) throws(PropertyListError) -> PropertyList {
    guard root.name == "plist", root.children.count == 1, let value = root.children.first else {
      throw .badElement(root.location, root.name)
    }
    return try decode(value)
  }

  private static func decode(_ element: MarkupElement) throws(PropertyListError) -> PropertyList {
    switch element.name {
    case "dict": return reference(try entries(element))
    case "array":
      var elements: [PropertyList] = []
      for child in element.children { elements.append(try decode(child)) }
      return .array(elements)
    case "string": return .string(element.text)
    default: break
    }
    guard let leaf = leaf(element) else { throw .badElement(element.location, element.name) }
    return leaf
  }

  /// The XML form writes a reference of a keyed archive as a dictionary of one entry.
  private static func reference(_ entries: [String: PropertyList]) -> PropertyList {
    guard entries.count == 1, let number = entries["CF$UID"]?.integer, number >= 0 else { return .dictionary(entries) }
    return .uid(UInt64(number))
  }

  private static func leaf(_ element: MarkupElement) -> PropertyList? {
    let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch element.name {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "integer": return integer(text)
    case "real": return Double(text).map { .real($0) }
    case "date": return date(text)
    case "data":
      return (Base64.decoded(text) ?? Data(base64Encoded: text, options: .ignoreUnknownCharacters)).map { .data($0) }
    default: return nil
    }
  }

  private static func integer(_ text: String) -> PropertyList? {
    if text.hasPrefix("0x") { return Int64(text.dropFirst(2), radix: 16).map { .integer($0) } }
    return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
  }

  private static func date(_ text: String) -> PropertyList? {
    (try? Date(text, strategy: .iso8601)).map { .date($0.timeIntervalSinceReferenceDate) }
  }

  private static func entries(_ element: MarkupElement) throws(PropertyListError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    var key: String?
    for child in element.children {
      if let name = key {
        guard child.name != "key" else { throw .badElement(child.location, child.name) }
        entries[name] = try decode(child)
        key = nil
      } else {
        guard child.name == "key" else { throw .badElement(child.location, child.name) }
        key = child.text
      }
    }
    if key != nil { throw .badElement(element.location, element.name) }
    return entries
  }
}
