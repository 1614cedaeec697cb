import AtomicStores
import Foundation

/// The text of an XML or JSON store, split into its head and its objects, of which parts can be cut out.
struct DocumentText {
  /// The pieces that were cut out.
  struct Cut {
    let entity: String
    let key: Int64?
    let property: String?
  }

  private enum Form {
    case xml
    case json
  }

  private let form: Form
  private let original: String
  private var lines: [String] = []
  /// The number of objects without an end.
  private(set) var lostObjects = 0

  /// Splits a text; nil for a store of a different type, and for bytes in a different encoding.
  init?(_ bytes: Data, _ kind: any StoreKind) {
    switch kind.name {
    case "XML": form = .xml
    case "JSON": form = .json
    default: return nil
    }
    // Bytes that are no text are replaced, so that the rest is one.
    original = String(decoding: bytes, as: UTF8.self)
    guard !original.utf8.prefix(200).contains(0) else { return nil }
  }

  /// The text so far.
  var bytes: Data { Data(lines.joined(separator: "\n").utf8) }

  /// The head of the store, without objects; nil if it cannot be found.
  var head: Data? {
    switch form {
    case .xml:
      return original.range(of: "</databaseInfo>").map { Data((original[..<$0.upperBound] + "</database>").utf8) }
    case .json:
      guard let place = original.range(of: "\"metadata\""),
        let start = original[place.upperBound...].firstIndex(of: "{"),
        let end = Self.end(ofObjectAt: start, in: original)
      else { return nil }
      return Data("{\"format\": 1, \"metadata\": \(original[start..<end]), \"objects\": {}}".utf8)
    }
  }

  /// Joins the head and the objects that have a beginning and an end.
  ///
  /// - Parameters:
  ///   - other: the head to use if the text's own head cannot be found.
  ///   - keepsOwn: false if the text's own head cannot be read.
  mutating func rebuild(head other: Data, keepsOwn: Bool) throws {
    let head = String(decoding: (keepsOwn ? head : nil) ?? other, as: UTF8.self)
    switch form {
    case .xml:
      let start = head.range(of: "</databaseInfo>")?.upperBound ?? head.endIndex
      lines = [String(head[..<start])] + objectsOfXML() + ["</database>"]
    case .json:
      guard let place = head.range(of: "\"metadata\""), let start = head[place.upperBound...].firstIndex(of: "{"),
        let end = Self.end(ofObjectAt: start, in: head)
      else { return }
      let metadata = head[start..<end].split(whereSeparator: \.isNewline).joined(separator: " ")
      lines = ["{\"format\": 1, \"metadata\": \(metadata), \"objects\": {"] + objectsOfJSON() + ["}}"]
    }
  }

  // MARK: Objects

  private mutating func objectsOfXML() -> [String] {
    var found: [String] = []
    for piece in original.components(separatedBy: "<object ").dropFirst() {
      guard let end = piece.range(of: "</object>") else {
        // An object without properties may end its own tag.
        if let end = piece.range(of: "/>"), !piece[..<end.lowerBound].contains(">") {
          found.append("<object " + piece[..<end.upperBound])
        } else {
          lostObjects += 1
        }
        continue
      }
      // A property a line, so that an error names it.
      var text = "<object " + piece[..<end.upperBound].split(whereSeparator: \.isNewline).joined(separator: " ")
      for tag in ["<attribute", "<relationship", "</object>"] {
        text = text.replacingOccurrences(of: tag, with: "\n\(tag)")
      }
      found += text.components(separatedBy: "\n")
    }
    return found
  }

  private mutating func objectsOfJSON() -> [String] {
    guard let place = original.range(of: "\"objects\"") else { return [] }
    var lists: [(name: String, objects: [String])] = []
    var position = place.upperBound
    while let sign = original[position...].firstIndex(where: { $0 == "\"" || $0 == "{" || $0 == "]" }) {
      switch original[sign] {
      case "\"":
        let rest = original.index(after: sign)
        guard let end = original[rest...].firstIndex(of: "\"") else { return Self.lines(lists) }
        lists.append((String(original[rest..<end]), []))
        position = original.index(after: end)
      case "{" where !lists.isEmpty:
        guard let end = Self.end(ofObjectAt: sign, in: original) else {
          lostObjects += 1
          return Self.lines(lists)
        }
        let text = original[sign..<end].split(whereSeparator: \.isNewline).joined(separator: " ")
        lists[lists.count - 1].objects.append(text)
        position = end
      default: position = original.index(after: sign)
      }
    }
    return Self.lines(lists)
  }

  private static func lines(_ lists: [(name: String, objects: [String])]) -> [String] {
    lists.enumerated().flatMap { number, list in
      ["\(number == 0 ? "" : ",")\"\(list.name)\": ["]
        + list.objects.enumerated().map { ($0 == 0 ? "" : ",") + $1 } + ["]"]
    }
  }

  /// The end of a JSON object; nil if it does not end.
  private static func end(ofObjectAt start: String.Index, in text: String) -> String.Index? {
    var (depth, isText, isEscaped) = (0, false, false)
    for position in text[start...].indices {
      let sign = text[position]
      if isText {
        if sign == "\"", !isEscaped { isText = false }
        isEscaped = sign == "\\" && !isEscaped
        continue
      }
      switch sign {
      case "\"": isText = true
      case "{", "[": depth += 1
      case "}", "]":
        depth -= 1
        if depth == 0 { return text.index(after: position) }
      default: break
      }
    }
    return nil
  }

  // MARK: Objects by themselves

  /// Cuts out what a reader refuses in each object by itself, so that a text with many errors is not read as often.
  ///
  /// Errors that need other objects, such as links and keys that are used twice, stay.
  ///
  /// - Parameter fault: the error of a text; nil if it can be read.
  /// - Returns: the removed parts with their errors.
  mutating func cutSingly(
    _ fault: (Data) throws -> StoreDocumentError?
  ) rethrows -> [(cut: Cut, finding: StoreDocumentError.Finding)] {
    var cuts: [(Cut, StoreDocumentError.Finding)] = []
    var (left, list, isFirst) = ([lines[0]], "", true)
    var position = 1
    while position < lines.count - 1 {
      let start = position
      position += 1
      if form == .json, lines[start].hasSuffix("\": [") || lines[start] == "]" {
        (list, isFirst) = (lines[start], true)
        left.append(lines[start])
        continue
      }
      while form == .xml, !Self.endsObject(lines[position - 1]), position < lines.count - 1 { position += 1 }
      var object = self
      let begin = [lines[0]] + (form == .json ? [list.hasPrefix(",") ? String(list.dropFirst()) : list] : [])
      let end = form == .json ? ["]", "}}"] : ["</database>"]
      var own = Array(lines[start..<position])
      if form == .json, own[0].hasPrefix(",") { own[0].removeFirst() }
      object.lines = begin + own + end
      var tries = 0
      while object.lines.count > begin.count + end.count, let error = try fault(object.bytes) {
        if case .danglingLink = error.finding { break }
        guard case .line(let line, let column)? = error.location else { break }
        tries += 1
        // The whole object begins at its first line, in column 0.
        let cut =
          tries <= Self.limit
          ? object.cut(line, column, error.finding)
          : form == .xml ? object.cutXML(begin.count, error.finding) : object.cutJSON(begin.count, 0, error.finding)
        guard let cut else { break }
        cuts.append((cut, error.finding))
      }
      own = Array(object.lines.dropFirst(begin.count).dropLast(end.count))
      if form == .json, let text = own.first {
        own[0] = (isFirst ? "" : ",") + text
        isFirst = false
      }
      left += own
    }
    lines = left + [lines[lines.count - 1]]
    return cuts
  }

  /// The number of parts of an object after which it is removed whole.
  private static let limit = 200

  private static func endsObject(_ line: String) -> Bool {
    line.contains("</object>") || line.hasSuffix("/>") && line.hasPrefix("<object ")
  }

  // MARK: Cutting

  /// Cuts out the part that an error is about: a property, or the object if that does not help.
  ///
  /// - Returns: the removed part; nil if no part can be removed.
  mutating func cut(_ line: Int, _ column: Int, _ finding: StoreDocumentError.Finding) -> Cut? {
    // The head is the first line of this text, and may have several of its own.
    let offset = (lines.first?.split(separator: "\n", omittingEmptySubsequences: false).count ?? 1) - 1
    let position = line - 1 - offset
    guard position > 0, position < lines.count - 1 else { return nil }
    return form == .xml ? cutXML(position, finding) : cutJSON(position, column, finding)
  }

  private mutating func cutXML(_ position: Int, _ finding: StoreDocumentError.Finding) -> Cut? {
    guard let start = lines[...position].lastIndex(where: { $0.hasPrefix("<object ") }) else { return nil }
    func value(_ name: String, _ text: String) -> String? {
      guard let start = text.range(of: " \(name)=\""), let end = text[start.upperBound...].firstIndex(of: "\"") else {
        return nil
      }
      return String(text[start.upperBound..<end])
    }
    let entity = value("type", lines[start]) ?? ""
    let key = value("id", lines[start]).flatMap { Int64($0.dropFirst()) }
    let text = lines[position]
    guard position != start, text.hasPrefix("<attribute") || text.hasPrefix("<relationship") else {
      guard let end = lines[start...].firstIndex(where: Self.endsObject) else { return nil }
      lines.removeSubrange(start...end)
      return Cut(entity: entity, key: key, property: nil)
    }
    let property = value("name", text)
    if case .danglingLink(let target, _) = finding, let list = value("idrefs", text) {
      let left = list.split(separator: " ").filter { $0 != target }
      if left.count < list.split(separator: " ").count {
        lines[position] = text.replacingOccurrences(
          of: "idrefs=\"\(list)\"", with: "idrefs=\"\(left.joined(separator: " "))\"")
        return Cut(entity: entity, key: key, property: property)
      }
    }
    lines.remove(at: position)
    return Cut(entity: entity, key: key, property: property ?? "")
  }

  private mutating func cutJSON(_ position: Int, _ column: Int, _ finding: StoreDocumentError.Finding) -> Cut? {
    guard let list = lines[..<position].lastIndex(where: { $0.hasSuffix("\": [") }) else { return nil }
    let entity = lines[list].split(separator: "\"").dropFirst(lines[list].hasPrefix(",") ? 1 : 0).first.map(String.init)
    let text = lines[position]
    let key = text.range(of: "\"id\": ").flatMap { Int64(text[$0.upperBound...].prefix { $0.isNumber || $0 == "-" }) }
    let isFirst = !text.hasPrefix(",")
    if case .danglingLink(_, let property) = finding, let left = Self.withoutElement(at: column, of: text) {
      lines[position] = left
      return Cut(entity: entity ?? "", key: key, property: property)
    }
    if let members = Self.members(of: text), let found = members.last(where: { $0.column <= column }),
      found.name != "id"
    {
      let left = members.filter { $0.column != found.column }.map(\.text).joined(separator: ", ")
      lines[position] = (isFirst ? "" : ",") + "{\(left)}"
      return Cut(entity: entity ?? "", key: key, property: found.name)
    }
    lines.remove(at: position)
    if isFirst, lines[position].hasPrefix(",{") { lines[position].removeFirst() }
    return Cut(entity: entity ?? "", key: key, property: nil)
  }

  /// The line without the list element at a column; nil if there is none.
  private static func withoutElement(at column: Int, of line: String) -> String? {
    guard column > 1, column <= line.count else { return nil }
    var start = line.index(line.startIndex, offsetBy: column - 1)
    var end: String.Index
    if line[start] == "{" {
      guard let found = self.end(ofObjectAt: start, in: line) else { return nil }
      end = found
    } else {
      end = line[start...].firstIndex { !$0.isNumber && $0 != "-" } ?? line.endIndex
    }
    guard end > start, let next = line[end...].firstIndex(where: { $0 != " " }),
      let before = line[..<start].lastIndex(where: { $0 != " " }), [",", "["].contains(line[before]),
      [",", "]"].contains(line[next])
    else { return nil }
    if line[next] == "," {
      end = line.index(after: next)
    } else if line[before] == "," {
      start = before
    }
    return String(line[..<start] + line[end...])
  }

  /// The members of an object on a single line, with their columns; nil if they cannot be separated.
  private static func members(of line: String) -> [(column: Int, name: String, text: String)]? {
    guard let start = line.firstIndex(of: "{"), end(ofObjectAt: start, in: line) == line.endIndex else { return nil }
    var members: [(column: Int, name: String, text: String)] = []
    var (depth, isText, isEscaped) = (0, false, false)
    var begin: (column: Int, index: String.Index)?
    func add(_ end: String.Index) {
      guard let begin else { return }
      let text = line[begin.index..<end]
      let name = text.split(separator: "\"").first.map(String.init) ?? ""
      members.append((begin.column, name, String(text)))
    }
    for (number, position) in line.indices.enumerated() where position > start {
      let sign = line[position]
      if isText {
        if sign == "\"", !isEscaped { isText = false }
        isEscaped = sign == "\\" && !isEscaped
        continue
      }
      if depth == 0, begin == nil, sign != " ", sign != ",", sign != "}" { begin = (number + 1, position) }
      switch sign {
      case "\"": isText = true
      case "{", "[": depth += 1
      case "}" where depth == 0: add(position)
      case "}", "]": depth -= 1
      case "," where depth == 0:
        add(position)
        begin = nil
      default: break
      }
    }
    return members
  }
}
