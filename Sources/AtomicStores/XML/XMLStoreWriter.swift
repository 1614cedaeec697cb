import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// Writes an XML store byte for byte as Core Data does.
struct XMLStoreWriter {
  private let model: EntityHierarchy
  private let numbering: KeyNumbering
  private var names: XMLStoreNames
  private let isKnown: (RecordID) -> Bool
  private var orders: [String: [XMLStoreNames.Property]] = [:]
  private var text = ""

  static func bytes(of content: DocumentContent, model: EntityHierarchy) throws -> Data {
    let (numbering, highest, entries) = try KeyNumbering.chosen(for: content, model: model)
    var writer = XMLStoreWriter(
      model: model, numbering: numbering, names: XMLStoreNames(model), isKnown: content.has)
    try writer.writeHead(content.metadata, highest: highest, entries: entries)
    var bytes = Data()
    try content.forEach(numbering.order(of: content.ids, model: model)) { object in
      try writer.write(object)
      // This avoids two copies of the complete text.
      guard writer.text.utf8.count > 1 << 16 else { return }
      bytes.append(contentsOf: writer.text.utf8)
      writer.text.removeAll(keepingCapacity: true)
    }
    writer.text += "</database>"
    bytes.append(contentsOf: writer.text.utf8)
    return bytes
  }

  /// True for text without the control characters that XML cannot represent.
  static func isWritable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20
        ? scalar.value != 0xFFFE && scalar.value != 0xFFFF : [0x09, 0x0A, 0x0D].contains(scalar.value)
    }
  }

  /// The declaration's value: "no" in the samples of version 641 and before, "yes" in most samples from 752 on.
  private static func standalone(_ frameworkVersion: Int64?) -> String {
    (frameworkVersion ?? .max) < 752 ? "no" : "yes"
  }

  private init(
    model: EntityHierarchy, numbering: KeyNumbering, names: XMLStoreNames, isKnown: @escaping (RecordID) -> Bool
  ) {
    (self.model, self.numbering, self.names, self.isKnown) = (model, numbering, names, isKnown)
  }

  private mutating func writeHead(_ metadata: StoreMetadata, highest: Int64, entries: [String: PropertyList]) throws {
    let uuid = metadata.uuid
    guard Self.isWritable(uuid), uuid == uuid.trimmingCharacters(in: .whitespacesAndNewlines) else {
      throw StoreDocumentError(
        path: "", nil,
        .metadata("the UUID has a character that XML cannot store, or begins or ends with white space"))
    }
    // The element UUID and the form of the file say these two.
    let list = metadata.entries.filter { !["NSStoreType", "NSStoreUUID"].contains($0.key) }
      .merging(entries) { $1 }
    text = """
      <?xml version="1.0" standalone="\(Self.standalone(metadata.frameworkVersion))"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>\(XMLStoreFile.version)</version>
              <UUID>\(XMLText.content(metadata.uuid))</UUID>
              <nextObjectID>\(highest)</nextObjectID>
              <metadata>
                  <plist version="1.0">
      \(try XMLPropertyListText.lines(of: .dictionary(list), indentation: 4).joined(separator: "\n"))
                  </plist>
              </metadata>
          </databaseInfo>

      """
  }

  /// The stored properties in the order of the elements.
  private mutating func order(of entity: String) throws -> [XMLStoreNames.Property] {
    if let known = orders[entity] { return known }
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var seen: Set<String> = []
    let all = (model.allAttributes(of: entity), model.allRelationships(of: entity))
    for ancestor in model.lineage(of: entity).reversed() {
      let own = ancestor.attributes.compactMap { all.0[$0.name]?.property }
        .sorted { $0.name.precedesByBytes($1.name) }
      attributes += own.filter { !$0.isTransient && seen.insert($0.name).inserted }
      let links = ancestor.relationships.compactMap { all.1[$0.name]?.property }
        .sorted { $0.name.precedesByBytes($1.name) }
      relationships += links.filter { !$0.isTransient && seen.insert($0.name).inserted }
    }
    let order =
      attributes.reversed().map { XMLStoreNames.Property.attribute($0) }
      + (relationships.filter { !$0.isToMany } + relationships.filter(\.isToMany)).map { .relationship($0) }
    do {
      // A value that would be read as a different value must not be written.
      _ = try names.entity(entity)
      for property in order { _ = try names.property(property.name, of: entity) }
    } catch {
      throw StoreDocumentError(path: "", .object(entity, property: nil), error.finding)
    }
    orders[entity] = order
    return order
  }

  private mutating func write(_ object: StoreDocument.Object) throws {
    let order = try order(of: object.id.entity)
    let known = Set(order.map(\.name))
    if let name = object.values.keys.sorted().first(where: { !known.contains($0) }), !isTransient(name, object.id) {
      throw error(
        object.id, name,
        .unknownProperty(name, entity: object.id.entity, near: NearNames.nearest(to: name, among: order.map(\.name))))
    }
    let identifier = numbering.identifier(object.id.key, root: model.rootName(of: object.id.entity))
    text += "    <object type=\"\(XMLText.attribute(object.id.entity.uppercased()))\" id=\"z\(identifier)\">\n"
    for property in order {
      switch property {
      case .attribute(let attribute):
        text += try element(attribute, object.values[attribute.name] ?? .null, of: object.id, indentation: "        ")
      case .relationship(let relationship):
        try write(relationship, object.values[relationship.name] ?? .null, of: object.id)
      }
    }
    text += "    </object>\n"
  }

  private func isTransient(_ name: String, _ id: RecordID) -> Bool {
    model.allAttributes(of: id.entity)[name]?.property.isTransient
      ?? model.allRelationships(of: id.entity)[name]?.property.isTransient ?? false
  }

  private func error(_ id: RecordID, _ property: String, _ finding: StoreDocumentError.Finding) -> StoreDocumentError {
    StoreDocumentError(path: "", .object(id.description, property: property), finding)
  }

  /// The element of an attribute; empty for an attribute without a value.
  private func element(
    _ attribute: AttributeDescription, _ value: RecordValue, of id: RecordID, indentation: String
  ) throws -> String {
    let name = XMLText.attribute(attribute.name.lowercased())
    func whole(_ type: String, _ content: String) -> String {
      "\(indentation)<attribute name=\"\(name)\" type=\"\(type)\">\(content)</attribute>\n"
    }
    switch value {
    case .null: return ""
    case .transformed(let bytes): return whole("transformable", Base64.broken(bytes))
    case .attribute(let plain):
      let type = XMLStoreValue.name(of: attribute.type) == nil ? plain.attributeType : attribute.type
      guard let word = XMLStoreValue.name(of: type), let text = XMLStoreValue.text(of: plain, type: type) else { break }
      guard Self.isWritable(text) else {
        throw error(id, attribute.name, .malformed("the text has a character that XML cannot store, such as NUL"))
      }
      return whole(word, XMLText.content(text))
    case .composite(let values):
      guard attribute.type == .composite else { break }
      if let name = values.keys.sorted().first(where: { name in !attribute.elements.contains { $0.name == name } }) {
        throw error(id, attribute.name, .unknownProperty(name, entity: attribute.name, near: []))
      }
      let inside = try attribute.elements.map {
        try element($0, values[$0.name] ?? .null, of: id, indentation: indentation + "    ")
      }.joined()
      return whole("composite", inside.isEmpty ? "" : "\n\(inside)\(indentation)")
    case .external, .object, .objects: break
    }
    throw error(id, attribute.name, .value(value.shortText, property: attribute.name, type: attribute.type.name))
  }

  private mutating func write(_ relationship: RelationshipDescription, _ value: RecordValue, of id: RecordID) throws {
    let targets: [RecordID]
    switch value {
    case .null: targets = []
    case .object(let target) where !relationship.isToMany: targets = [target]
    case .objects(let all) where relationship.isToMany: targets = all
    default:
      throw error(
        id, relationship.name,
        .value(value.shortText, property: relationship.name, type: relationship.isToMany ? "to-many" : "to-one"))
    }
    if let missing = targets.first(where: { !isKnown($0) }) {
      throw error(id, relationship.name, .danglingLink(missing.description, property: relationship.name))
    }
    let destination = XMLText.attribute((relationship.destinationEntityName ?? "").uppercased())
    let least = relationship.isOptional ? 0 : max(relationship.minCount, 1)
    let most = relationship.maxCount == .max ? 0 : relationship.maxCount
    text += "        <relationship name=\"\(XMLText.attribute(relationship.name.lowercased()))\""
    text += " type=\"\(least)/\(most)\" destination=\"\(destination)\""
    if !targets.isEmpty {
      let ids = targets.map { "z\(numbering.identifier($0.key, root: model.rootName(of: $0.entity)))" }
      text += " idrefs=\"\(ids.joined(separator: " "))\""
    }
    text += "></relationship>\n"
  }
}

/// Writes a property list as in an XML store.
struct XMLPropertyListText {
  private(set) var lines: [String] = []

  /// The lines of a list; the first is indented by this many times four spaces.
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
