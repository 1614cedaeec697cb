import Foundation
import MappingModels
import VersionHashing

/// Reads a mapping file: checks it against the schema, then by rules that a schema cannot express.
struct MappingFileReader {
  static let byteLimit = 8 << 20
  /// The maximum number of entity mappings, as each is compared with all other mappings.
  static let entityMappingLimit = 2_000

  private let bytes: [UInt8]
  private var written = WrittenMappingModel()
  private var locations: [WrittenMappingModel.Part: SourceLocation] = [:]

  static func read(_ data: Data, path: String) throws(MappingFileError) -> MappingFile {
    let start = SourceLocation(file: path, line: 1, column: 1)
    guard data.count <= byteLimit else {
      throw MappingFileError(cause: .tooLarge(what: "its size in bytes", limit: byteLimit), location: start)
    }
    let root: MarkupElement
    let bytes: [UInt8]
    do {
      root = try MarkupReader.read(data, path: path)
      bytes = try MarkupReader.utf8(data, path: path)
    } catch {
      throw MappingFileError(cause: .file(error), location: error.location ?? start)
    }
    guard root.name == "mappingModel" else {
      throw MappingFileError(cause: .unexpectedRoot(root.name), location: root.location)
    }
    if let problem = SchemaValidation.problem(in: bytes, schema: MappingSchema.text) {
      let location = root.element(at: problem.element)?.location ?? root.location
      throw MappingFileError(cause: .schema(problem.sentence), location: location)
    }
    var reader = MappingFileReader(bytes)
    try reader.read(root)
    return MappingFile(
      sourceVersion: root[attribute: "source"] ?? "",
      destinationVersion: root[attribute: "destination"] ?? "",
      written: reader.written,
      locations: reader.locations,
      openDecisions: OpenDecisions.found(in: bytes, path: path),
      path: path
    )
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func read(_ root: MarkupElement) throws(MappingFileError) {
    locations[.model] = root.location
    written.infersUnmentioned = root[attribute: "unmentioned"] != "dropped"
    for child in root.children {
      switch child.name {
      case "policy": try readPolicy(child)
      case "drop":
        let name = child[attribute: "name"] ?? ""
        guard written.droppedData.insert(name).inserted else { throw duplicate("“\(name)”", child) }
        locations[.drop(name)] = child.location
      default: try readEntityMapping(child)
      }
    }
  }

  private mutating func readPolicy(_ element: MarkupElement) throws(MappingFileError) {
    let name = element[attribute: "class"] ?? ""
    var replacement = PolicyReplacement()
    for child in element.children {
      let sql = child[attribute: "sql"] ?? ""
      let key = child[attribute: child.name == "function" ? "selector" : "name"] ?? ""
      let oldValue =
        child.name == "function"
        ? replacement.functions.updateValue(sql, forKey: key) : replacement.attributes.updateValue(sql, forKey: key)
      guard oldValue == nil else { throw duplicate("“\(key)”", child) }
    }
    guard written.policyReplacements.updateValue(replacement, forKey: name) == nil else {
      throw duplicate("the policy “\(name)”", element)
    }
    locations[.policy(name)] = element.location
  }

  private mutating func readEntityMapping(_ element: MarkupElement) throws(MappingFileError) {
    let position = written.entityMappings.count
    guard position < Self.entityMappingLimit else {
      let limit = Self.entityMappingLimit
      throw MappingFileError(
        cause: .tooLarge(what: "the number of its entity mappings", limit: limit), location: element.location)
    }
    var mapping = WrittenEntityMapping(
      name: element[attribute: "name"],
      kind: element[attribute: "type"].flatMap(EntityMapping.Kind.init(word:)),
      source: element[attribute: "source"],
      destination: element[attribute: "destination"],
      sourceVersionHash: try hash("sourceHash", of: element),
      destinationVersionHash: try hash("destinationHash", of: element),
      filter: try expression("where", of: element),
      policyClassName: element[attribute: "policy"],
      userInfo: try userInfo(of: element)
    )
    for child in element.children {
      let name = child[attribute: "name"] ?? ""
      switch child.name {
      case "attribute":
        locations[.attribute(mapping.attributes.count, of: position)] = child.location
        mapping.attributes.append(
          WrittenPropertyMapping(name: name, value: try attribute(child), userInfo: try userInfo(of: child)))
      case "relationship":
        locations[.relationship(mapping.relationships.count, of: position)] = child.location
        mapping.relationships.append(
          WrittenPropertyMapping(name: name, value: try relationship(child), userInfo: try userInfo(of: child)))
      default: break
      }
    }
    locations[.entityMapping(position)] = element.location
    written.entityMappings.append(mapping)
  }

  private func attribute(_ element: MarkupElement) throws(MappingFileError) -> WrittenPropertyMapping.Value {
    try requireOne(of: ["value", "sql", "default", "omitted"], in: element)
    if let value = try expression("value", of: element) { return .expression(value) }
    if let sql = element[attribute: "sql"] { return .sql(sql) }
    if element[attribute: "default"] != nil { return .unset }
    return element[attribute: "omitted"] != nil ? .omitted : .inferred
  }

  private func relationship(_ element: MarkupElement) throws(MappingFileError) -> WrittenPropertyMapping.Value {
    try requireOne(of: ["value", "keyPath", "sql", "empty", "omitted"], in: element)
    try requireOne(of: ["mapping", "sql", "empty", "omitted"], in: element)
    let value = try expression("value", of: element)
    let keyPath = try expression("keyPath", of: element)
    if let mapping = element[attribute: "mapping"] { return .made(by: mapping, from: keyPath ?? value) }
    if let keyPath { return .madeFrom(keyPath) }
    if let value { return .expression(value) }
    if let sql = element[attribute: "sql"] { return .sql(sql) }
    if element[attribute: "empty"] != nil { return .unset }
    return element[attribute: "omitted"] != nil ? .omitted : .inferred
  }

  private func requireOne(of names: [String], in element: MarkupElement) throws(MappingFileError) {
    let present = names.filter { element[attribute: $0] != nil }
    guard present.count < 2 else {
      throw MappingFileError(
        cause: .contradiction(element: element.name, attributes: present), location: element.location)
    }
  }

  private func userInfo(of element: MarkupElement) throws(MappingFileError) -> [String: String] {
    var entries: [String: String] = [:]
    for child in element.children(named: "userInfo") {
      let key = child[attribute: "key"] ?? ""
      guard entries.updateValue(child[attribute: "value"] ?? "", forKey: key) == nil else {
        throw duplicate("the key “\(key)”", child)
      }
    }
    return entries
  }

  private func hash(_ name: String, of element: MarkupElement) throws(MappingFileError) -> VersionHash? {
    guard let text = element[attribute: name] else { return nil }
    guard let hash = Data(base64Encoded: text).flatMap({ VersionHash($0) }) else {
      throw MappingFileError(cause: .schema("\(name) is not base64 of 32 bytes"), location: element.location)
    }
    return hash
  }

  private func expression(_ name: String, of element: MarkupElement) throws(MappingFileError) -> ValueExpression? {
    guard let text = element[attribute: name] else { return nil }
    do {
      return try ValueExpression(parsing: text)
    } catch {
      let place = AttributeLocation.location(of: error.offset, in: name, of: element.location, bytes: bytes)
      throw MappingFileError(cause: .expression(error, attribute: name), location: place ?? element.location)
    }
  }

  private func duplicate(_ what: String, _ element: MarkupElement) -> MappingFileError {
    MappingFileError(cause: .duplicate(what), location: element.location)
  }
}

extension MarkupElement {
  /// The element that so many begin before, in the document's order, of this one and those below it.
  fileprivate func element(at number: Int) -> MarkupElement? {
    var stack = [self]
    var remaining = number
    while let element = stack.popLast() {
      if remaining == 0 { return element }
      remaining -= 1
      stack.append(contentsOf: element.children.reversed())
    }
    return nil
  }
}

extension SchemaValidation.Finding {
  /// The cause on a single line, without a full stop.
  fileprivate var sentence: String {
    let words = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }
}

/// Finds the comments of a mapping file that mark what has to be decided.
enum OpenDecisions {
  /// Looks through well-formed XML.
  static func found(in bytes: [UInt8], path: String) -> [MappingFile.OpenDecision] {
    var found: [MappingFile.OpenDecision] = []
    var cursor = LineCursor(bytes, file: path)
    var position = 0
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[open...]
      if rest.starts(with: comment) {
        let start = open + comment.count
        let end = self.end(of: "-->", in: bytes, from: start)
        let words = String(decoding: bytes[start..<max(start, end - 3)], as: UTF8.self)
          .split(whereSeparator: \.isWhitespace)
        if words.contains(where: { $0 == MappingTemplate.openDecision }) {
          let text = words.filter { $0 != MappingTemplate.openDecision }.joined(separator: " ")
          found.append(.init(text: text, location: cursor.startTag(before: start)))
        }
        position = end
      } else {
        position = rest.starts(with: cdata) ? end(of: "]]>", in: bytes, from: open) : open + 1
      }
    }
    return found
  }

  private static let comment = Array("<!--".utf8)
  private static let cdata = Array("<![CDATA[".utf8)

  /// The position after the next of these characters.
  private static func end(of text: String, in bytes: [UInt8], from start: Int) -> Int {
    var position = start
    while let first = text.utf8.first, let next = bytes[position...].firstIndex(of: first) {
      if bytes[next...].starts(with: text.utf8) { return next + text.utf8.count }
      position = next + 1
    }
    return bytes.endIndex
  }
}
