public import Foundation
public import ModelDescription

/// A `contents` file as a value: its model, and the other parts of the file.
///
/// Beyond the model are the attributes that say with which tools the file was saved, the layout of the diagram, unknown
/// elements and attributes, the order and the spellings that are not those of Xcode, and the form of the text. Comments
/// among the elements are not kept.
public struct ContentsDocument: Hashable, Sendable {
  /// The model; other parts of the file are kept for the entities and properties that keep their names.
  public var model: ManagedObjectModel
  private let kept: KeptMarkup
  private let style: ContentsStyle
  private let origin: Origin?

  /// A file as it was read.
  private struct Origin: Hashable, Sendable {
    let model: ManagedObjectModel
    let bytes: Data
    /// False if the file is in a different encoding.
    let isUTF8: Bool
  }

  /// Makes the file of a model that was in none, such as one made in code or read from a compiled model.
  ///
  /// The attributes about tools are those of the models that Xcode makes for a new project.
  public init(_ model: ManagedObjectModel) {
    self.model = model
    var root = ContentsForm.element(model)
    let meant = root
    root.attributes = Self.newProject + root.attributes
    kept = KeptMarkup(of: root, beyond: meant)
    style = .xcode
    origin = nil
  }

  /// Reads a file's bytes.
  public init(_ data: Data, path: String) throws(ModelFileError) {
    model = try ContentsReader.read(data, path: path).model
    let text = Data(try MarkupReader.utf8(data, path: path))
    let source = try MarkupSource(text, path: path, encoding: .utf8)
    // A byte order mark of UTF-8 has three bytes; UTF-16 has others throughout.
    origin = Origin(model: model, bytes: data, isUTF8: data.count <= text.count + 3 && data.suffix(text.count) == text)
    kept = KeptMarkup(of: ContentsElement(source.root), beyond: ContentsForm.element(model))
    style = ContentsStyle(of: source)
  }

  /// The file's bytes, written from the values.
  public var data: Data { ContentsWriter(style).data(of: kept.applied(to: ContentsForm.element(model))) }

  /// The bytes that the file had; nil if the model was changed, or was in no file, or in one that is not UTF-8.
  var unchangedBytes: Data? {
    guard let origin, origin.isUTF8, origin.model == model else { return nil }
    return origin.bytes
  }

  private static func commentCount(in data: Data) -> Int {
    // In a well-formed text, `<!--` stands nowhere but at the beginning of a comment.
    String(decoding: data, as: UTF8.self).components(separatedBy: "<!--").count - 1
  }

  /// How many comments are not in ``data``.
  var lostCommentCount: Int {
    guard let origin, let text = try? MarkupReader.utf8(origin.bytes, path: "") else { return 0 }
    return Self.commentCount(in: Data(text)) - Self.commentCount(in: data)
  }

  /// The attributes that Xcode writes into the model of a new project, before the editor saves it.
  private static let newProject: [ContentsElement.Attribute] = [
    .init(name: "type", value: "com.apple.IDECoreDataModeler.DataModel"),
    .init(name: "documentVersion", value: "1.0"),
    .init(name: "lastSavedToolsVersion", value: "1"),
    .init(name: "systemVersion", value: "11A491"),
    .init(name: "minimumToolsVersion", value: "Automatic"),
    .init(name: "sourceLanguage", value: "Swift"),
  ]
}

/// The markup of an element that the model does not contain, or that Xcode would write differently.
///
/// It is the difference between what a file has and what would be written from the model alone. An element is known by
/// its name; a spelling holds as long as the model means what was spelled.
struct KeptMarkup: Hashable, Sendable {
  /// An attribute that is spelled differently from the model, or is in only one of the two.
  struct Spelling: Hashable, Sendable {
    /// The text from the model; nil if it has none.
    let meant: String?
    /// The text in the file; nil if it has none.
    let written: String?
    /// The attributes that must keep their meaning, such as the type of a value.
    let ties: [String: String?]

    func holds(for meant: ContentsElement, named name: String) -> Bool {
      self.meant == meant[name] && ties.allSatisfy { meant[$0.key] == $0.value }
    }
  }

  /// The key of an element among its siblings.
  struct Key: Hashable, Sendable {
    let element: String
    let identity: String
    /// How many before it have the same element and identity.
    let ordinal: Int
  }

  private var spellings: [String: Spelling] = [:]
  /// The order of the attributes if it is not Xcode's.
  private var attributeOrder: [String]?
  private var children: [Key: KeptMarkup] = [:]
  /// Elements that the model would have and the file has not.
  private var omitted: Set<Key> = []
  /// Elements that are not the model's, such as the diagram.
  private var added: [Key: ContentsElement] = [:]
  /// The order of the elements if it does not follow from the model.
  private var childOrder: [Key]?

  /// Attributes whose meaning hangs on others.
  private static let ties = [
    "renamingIdentifier": ["elementID"], "deleteRule": ["deletionRule"], "derivationExpression": ["derived"],
    "defaultValueString": ["attributeType", "defaultDateTimeInterval"],
    "defaultDateTimeInterval": ["attributeType", "defaultValueString"],
    "minValueString": ["attributeType", "minDateTimeInterval"],
    "minDateTimeInterval": ["attributeType", "minValueString"],
    "maxValueString": ["attributeType", "maxDateTimeInterval"],
    "maxDateTimeInterval": ["attributeType", "maxValueString"],
  ]

  init() {}

  var isEmpty: Bool { self == KeptMarkup() }

  init(of written: ContentsElement, beyond meant: ContentsElement) {
    let texts = Dictionary(written.attributes.map { ($0.name, $0.value) }) { first, _ in first }
    for name in Set(texts.keys).union(meant.attributes.map(\.name)) {
      guard meant[name] != texts[name] else { continue }
      let ties = Self.ties[name, default: []].map { ($0, meant[$0]) }
      spellings[name] = Spelling(
        meant: meant[name], written: texts[name], ties: Dictionary(ties) { first, _ in first })
    }
    let names = written.attributes.map(\.name)
    if attributes(of: meant).map(\.name) != names { attributeOrder = names }
    let (own, other) = (Self.keyed(written.children), Self.keyed(meant.children))
    let byKey = Dictionary(uniqueKeysWithValues: other)
    for (key, child) in own {
      if let counterpart = byKey[key] {
        let kept = KeptMarkup(of: child, beyond: counterpart)
        if !kept.isEmpty { children[key] = kept }
      } else {
        added[key] = child
      }
    }
    let keys = own.map(\.key)
    omitted = Set(byKey.keys).subtracting(keys)
    if keys != other.map(\.key).filter({ !omitted.contains($0) }) { childOrder = keys }
  }

  /// The element as the file has it: what the model means with what is kept.
  func applied(to meant: ContentsElement) -> ContentsElement {
    var element = meant
    element.attributes = ordered(attributes(of: meant), in: meant.name)
    var content: [(key: Key, element: ContentsElement)] = []
    for (key, child) in Self.keyed(meant.children) where !omitted.contains(key) {
      content.append((key, children[key]?.applied(to: child) ?? child))
    }
    element.children = arranged(content)
    return element
  }

  private func attributes(of meant: ContentsElement) -> [ContentsElement.Attribute] {
    var attributes = meant.attributes.compactMap { attribute -> ContentsElement.Attribute? in
      guard let spelling = spellings[attribute.name], spelling.holds(for: meant, named: attribute.name) else {
        return attribute
      }
      return spelling.written.map { .init(name: attribute.name, value: $0) }
    }
    for (name, spelling) in spellings.sorted(by: { $0.key < $1.key }) {
      guard meant[name] == nil, let written = spelling.written, spelling.holds(for: meant, named: name) else {
        continue
      }
      attributes.insert(.init(name: name, value: written), at: place(of: name, among: attributes, in: meant.name))
    }
    return attributes
  }

  private func ordered(_ attributes: [ContentsElement.Attribute], in element: String) -> [ContentsElement.Attribute] {
    guard let attributeOrder else { return attributes }
    let byName = Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
    var ordered = attributeOrder.compactMap { byName[$0] }
    let known = Set(attributeOrder)
    for attribute in attributes where !known.contains(attribute.name) {
      ordered.insert(attribute, at: place(of: attribute.name, among: ordered, in: element))
    }
    return ordered
  }

  /// The position of an attribute; an attribute that Xcode does not write is added at the end.
  private func place(of name: String, among attributes: [ContentsElement.Attribute], in element: String) -> Int {
    guard EditorOrder.rank(ofAttribute: name, in: element) != nil else { return attributes.count }
    return EditorOrder.position(of: name, among: attributes.map(\.name), in: element)
  }

  /// The elements in the file's order; what is new in the model follows what it follows there.
  private func arranged(_ content: [(key: Key, element: ContentsElement)]) -> [ContentsElement] {
    guard let childOrder else { return content.map(\.element) }
    let known = Set(childOrder)
    var followers: [Key?: [ContentsElement]] = [:]
    var last: Key?
    for (key, element) in content {
      if known.contains(key) { last = key } else { followers[last, default: []].append(element) }
    }
    let byKey = Dictionary(content.map { ($0.key, $0.element) }) { first, _ in first }
    return (followers[nil] ?? [])
      + childOrder.flatMap { key in
        [byKey[key] ?? added[key]].compactMap { $0 } + (followers[key] ?? [])
      }
  }

  private static let identities = ["name", "key", "value", "property"]

  private static func keyed(_ elements: [ContentsElement]) -> [(key: Key, element: ContentsElement)] {
    var counts: [Key: Int] = [:]
    return elements.map { element in
      let identity = identities.lazy.compactMap { element[$0] }.first ?? ""
      let first = Key(element: element.name, identity: identity, ordinal: 0)
      let ordinal = counts[first, default: 0]
      counts[first] = ordinal + 1
      return (Key(element: element.name, identity: identity, ordinal: ordinal), element)
    }
  }
}
