public import MappingModels
public import ModelDescription
import VersionHashing

/// Writes mapping files: the same value gives the same bytes, and reading them gives the value again.
public struct MappingFileWriter {
  private let comments: [WrittenMappingModel.Part: [String]]
  private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  private init(comments: [WrittenMappingModel.Part: [String]]) { self.comments = comments }

  /// Writes a mapping model with only the parts that differ from inference.
  ///
  /// Reading the text and resolving it against the two models gives an equal mapping model.
  public static func text(
    of mapping: MappingModel,
    from source: EntityHierarchy,
    to destination: EntityHierarchy,
    sourceVersion: String,
    destinationVersion: String
  ) -> String {
    let written = WrittenMappingModel(mapping, from: source, to: destination)
    return text(of: written, sourceVersion: sourceVersion, destinationVersion: destinationVersion)
  }

  /// Writes the inferred mapping between two versions, with comments on open decisions.
  ///
  /// - Returns: the text of a file that can be read and resolved as it is.
  public static func template(
    from source: EntityHierarchy,
    to destination: EntityHierarchy,
    sourceVersion: String,
    destinationVersion: String
  ) -> String {
    let template = MappingTemplate(from: source, to: destination)
    return text(
      of: template.written, sourceVersion: sourceVersion, destinationVersion: destinationVersion,
      comments: template.comments)
  }

  /// Writes exactly the written parts of a mapping model.
  ///
  /// - Parameter comments: the lines of the comments before the parts that they describe; the comments on the complete
  ///   model are at the top.
  public static func text(
    of written: WrittenMappingModel,
    sourceVersion: String,
    destinationVersion: String,
    comments: [WrittenMappingModel.Part: [String]] = [:]
  ) -> String {
    var writer = MappingFileWriter(comments: comments)
    writer.comment(.model, depth: 0)
    var attributes = [("source", sourceVersion), ("destination", destinationVersion)]
    if !written.infersUnmentioned { attributes.append(("unmentioned", "dropped")) }
    writer.element("mappingModel", attributes, depth: 0) { writer in writer.parts(of: written) }
    return writer.text
  }

  private mutating func parts(of written: WrittenMappingModel) {
    for (name, replacement) in written.policyReplacements.sorted(by: { $0.key < $1.key }) {
      comment(.policy(name), depth: 1)
      element("policy", [("class", name)], depth: 1) { writer in
        for (selector, sql) in replacement.functions.sorted(by: { $0.key < $1.key }) {
          writer.element("function", [("selector", selector), ("sql", sql)], depth: 2)
        }
        for (name, sql) in replacement.attributes.sorted(by: { $0.key < $1.key }) {
          writer.element("attribute", [("name", name), ("sql", sql)], depth: 2)
        }
      }
    }
    for name in written.droppedData.sorted() {
      comment(.drop(name), depth: 1)
      element("drop", [("name", name)], depth: 1)
    }
    for (position, mapping) in written.entityMappings.enumerated() { entityMapping(mapping, at: position) }
  }

  private mutating func entityMapping(_ mapping: WrittenEntityMapping, at position: Int) {
    if comments[.entityMapping(position)] != nil { text += "\n" }
    comment(.entityMapping(position), depth: 1)
    let attributes: [(String, String?)] = [
      ("name", mapping.name), ("source", mapping.source), ("destination", mapping.destination),
      ("where", mapping.filter?.formatted(quotes: .single)), ("policy", mapping.policyClassName),
      ("type", mapping.kind?.word), ("sourceHash", mapping.sourceVersionHash?.base64),
      ("destinationHash", mapping.destinationVersionHash?.base64),
    ]
    element("entityMapping", attributes, depth: 1) { writer in
      for (index, attribute) in mapping.attributes.enumerated() {
        writer.property(attribute, "attribute", at: .attribute(index, of: position))
      }
      for (index, relationship) in mapping.relationships.enumerated() {
        writer.property(relationship, "relationship", at: .relationship(index, of: position))
      }
      writer.userInfo(mapping.userInfo, depth: 2)
    }
  }

  private mutating func property(
    _ property: WrittenPropertyMapping, _ element: String, at place: WrittenMappingModel.Part
  ) {
    comment(place, depth: 2)
    var attributes: [(String, String?)] = [("name", property.name)]
    switch property.value {
    case .inferred: break
    case .omitted: attributes.append(("omitted", "yes"))
    case .unset: attributes.append((element == "attribute" ? "default" : "empty", "yes"))
    case .expression(let expression): attributes.append(("value", expression.formatted(quotes: .single)))
    case .sql(let sql): attributes.append(("sql", sql))
    case .made(let mapping, let objects):
      let key = objects?.isKeyPath == true ? "keyPath" : "value"
      attributes += [("mapping", mapping), (key, objects?.formatted(quotes: .single))]
    case .madeFrom(let keyPath): attributes.append(("keyPath", keyPath.formatted(quotes: .single)))
    }
    self.element(element, attributes, depth: 2) { writer in writer.userInfo(property.userInfo, depth: 3) }
  }

  private mutating func userInfo(_ entries: [String: String], depth: Int) {
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      element("userInfo", [("key", key), ("value", value)], depth: depth)
    }
  }

  /// Writes an element; each hash is on a line of its own, so that a change of a hash changes one line.
  private mutating func element(
    _ name: String, _ attributes: [(String, String?)], depth: Int,
    children: (inout MappingFileWriter) -> Void = { _ in }
  ) {
    let indentation = String(repeating: "  ", count: depth)
    text += indentation + "<" + name
    for (key, value) in attributes {
      guard let value else { continue }
      text += key.hasSuffix("Hash") ? "\n\(indentation)    " : " "
      text += "\(key)=\"\(XMLText.attribute(value))\""
    }
    var inner = MappingFileWriter(comments: comments)
    inner.text = ""
    children(&inner)
    text += inner.text.isEmpty ? "/>\n" : ">\n\(inner.text)\(indentation)</\(name)>\n"
  }

  /// Writes comments, each broken into lines of at most 118 columns.
  private mutating func comment(_ place: WrittenMappingModel.Part, depth: Int) {
    let indentation = String(repeating: "  ", count: depth)
    for comment in comments[place] ?? [] {
      var line = "\(indentation)<!--"
      var words = Self.words(of: XMLText.comment(comment))
      words.append((words.popLast() ?? "") + " -->")
      for word in words {
        if line.count + word.count >= 118 {
          text += line + "\n"
          line = "\(indentation)    "
        }
        line += " " + word
      }
      text += line + "\n"
    }
  }

  private static func words(of comment: String) -> [String] {
    var words: [String] = []
    var isInElement = false
    for word in comment.split(separator: " ") {
      if isInElement, let last = words.popLast() { words.append("\(last) \(word)") } else { words.append(String(word)) }
      if let bracket = word.last(where: { $0 == "<" || $0 == ">" }) { isInElement = bracket == "<" }
    }
    return words
  }
}

extension ValueExpression {
  fileprivate var isKeyPath: Bool {
    switch self {
    case .variable, .keyPath(_, of: .variable): true
    default: false
    }
  }
}

extension EntityMapping.Kind {
  private static let words: [(kind: Self, word: String)] = [
    (.undefined, "undefined"), (.custom, "custom"), (.add, "add"), (.remove, "remove"), (.copy, "copy"),
    (.transform, "transform"),
  ]

  init?(word: String) {
    guard let kind = Self.words.first(where: { $0.word == word })?.kind else { return nil }
    self = kind
  }

  var word: String { Self.words.first { $0.kind == self }?.word ?? "undefined" }
}
