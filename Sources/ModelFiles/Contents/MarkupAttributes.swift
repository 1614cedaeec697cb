import ModelDescription

/// Takes an element's attributes one by one; what is left at the end is unknown and noted.
struct MarkupAttributes {
  let element: MarkupElement
  /// The attributes that were read, by their positions.
  private var isTaken: [Bool]
  /// A bit for each length of an attribute's name, because most lookups do not find an attribute.
  private var lengths: UInt64 = 0
  private var complaints: [String] = []

  init(_ element: MarkupElement) {
    self.element = element
    isTaken = Array(repeating: false, count: element.attributes.count)
    for attribute in element.attributes { lengths |= Self.bit(attribute.name.utf8.count) }
  }

  private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }

  mutating func ignore(_ names: [String]) {
    for (position, attribute) in element.attributes.enumerated() where names.contains(attribute.name) {
      isTaken[position] = true
    }
  }

  mutating func text(_ name: String) -> String? {
    let length = name.utf8.count
    guard lengths & Self.bit(length) != 0 else { return nil }
    // Most names differ in length, which is compared sooner than text.
    let found = element.attributes.firstIndex { $0.name.utf8.count == length && $0.name == name }
    guard let position = found else { return nil }
    isTaken[position] = true
    return element.attributes[position].value
  }

  /// The text of an attribute; nil if it is empty.
  mutating func filledText(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  mutating func name() throws(ModelFileError) -> String {
    guard let name = filledText("name") else { throw .missingName(location: element.location, element: element.name) }
    return name
  }

  mutating func flag(_ name: String) -> Bool { optionalFlag(name) ?? false }

  mutating func optionalFlag(_ name: String) -> Bool? {
    guard let text = text(name) else { return nil }
    if let flag = Self.flag(text) { return flag }
    complain("\(name)=“\(text)” is neither YES nor NO and is read as NO")
    return false
  }

  /// A number of objects; -1 means `Int.max`, which only code can set.
  mutating func count(_ name: String) -> Int? {
    guard let text = text(name) else { return nil }
    if text == "-1" { return .max }
    if let count = Int(text), count >= 0 { return count }
    complain("\(name)=“\(text)” is not a valid count and is ignored")
    return nil
  }

  mutating func complain(_ sentence: String) { complaints.append(sentence) }

  /// Records every complaint and every unread attribute.
  func finish(_ record: inout ContentsRecord) {
    for complaint in complaints { record.note(element.location, complaint) }
    for (attribute, isTaken) in zip(element.attributes, isTaken) where !isTaken {
      record.note(element.location, "unknown attribute \(attribute.name)=“\(attribute.value)” of <\(element.name)>")
    }
  }

  static func flag(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }
}

/// The facts about a file that a reader collects in addition to its model.
struct ContentsRecord: Sendable {
  private(set) var locations: ElementLocations
  private(set) var redeclarations: [ModelFile.Redeclaration] = []
  private(set) var notes: [ModelNote] = []

  init(capacity: Int = 0) { locations = ElementLocations(capacity: capacity) }

  mutating func declare(_ element: ModelElement, _ markup: MarkupElement) { declare(element, at: markup.location) }

  private mutating func declare(_ element: ModelElement, at location: SourceLocation) {
    guard !locations.declare(element, at: location) else { return }
    redeclarations.append(.init(element: element, location: location))
  }

  /// Adds what was learnt about an entity.
  mutating func add(_ entity: LocatedEntity) {
    notes += entity.notes
    if locations.add(entity) {
      redeclarations += entity.redeclarations
    } else {
      for declaration in entity.declarations { declare(declaration.element, at: declaration.location) }
    }
  }

  mutating func note(_ location: SourceLocation, _ sentence: String) {
    notes.append(ModelNote(location: location, sentence: sentence))
  }

  mutating func noteUnknown(_ element: MarkupElement, in parent: MarkupElement) {
    note(element.location, "unknown element <\(element.name)> in <\(parent.name)>")
  }
}

/// Reads a `<userInfo>`; an entry without a value has the empty one.
enum UserInfoReader {
  static func entries(_ element: MarkupElement, _ record: inout ContentsRecord) -> [String: String] {
    var entries: [String: String] = [:]
    for child in element.children {
      var reader = MarkupAttributes(child)
      guard child.name == "entry", let key = reader.text("key") else {
        record.noteUnknown(child, in: element)
        continue
      }
      if entries.updateValue(reader.text("value") ?? "", forKey: key) != nil {
        reader.complain("the key “\(key)” is there twice; the last value is used")
      }
      reader.finish(&record)
    }
    return entries
  }

  /// Reads the only child that properties have; other children are noted.
  static func only(in element: MarkupElement, _ record: inout ContentsRecord) -> [String: String] {
    var entries: [String: String] = [:]
    for child in element.children {
      if child.name == "userInfo" {
        entries.merge(self.entries(child, &record)) { _, later in later }
      } else {
        record.noteUnknown(child, in: element)
      }
    }
    return entries
  }
}
