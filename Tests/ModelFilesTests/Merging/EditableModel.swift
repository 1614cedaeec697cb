import TestSupport

/// A model that a test edits at random and writes as Xcode does.
struct EditableModel: Equatable {
  struct Property: Equatable {
    var attributes: [String: String]
    var userInfo: [String: String] = [:]
  }

  struct Entity: Equatable {
    var attributes: [String: String]
    var properties: [String: Property]
  }

  /// One edit of one place; edits of different places are independent.
  enum Edit: Hashable {
    case set(entity: String, property: String, attribute: String, value: String)
    case unset(entity: String, property: String, attribute: String)
    case setOnEntity(entity: String, attribute: String, value: String)
    case note(entity: String, property: String, key: String, value: String)
    case addProperty(entity: String, property: String, type: String)
    case removeProperty(entity: String, property: String)
    case addEntity(entity: String)
    case removeEntity(entity: String)

    /// The places that no other edit may touch.
    var places: Set<String> {
      switch self {
      case .set(let entity, let property, let attribute, _), .unset(let entity, let property, let attribute):
        ["\(entity).\(property)@\(Self.together.contains(attribute) ? "value" : attribute)"]
      case .setOnEntity(let entity, let attribute, _): ["\(entity)@\(attribute)"]
      case .note(let entity, let property, let key, _): ["\(entity).\(property)#\(key)"]
      case .addProperty(let entity, let property, _), .removeProperty(let entity, let property):
        ["\(entity).\(property)"]
      case .addEntity(let entity), .removeEntity(let entity): [entity]
      }
    }

    /// Attributes that belong together.
    private static let together: Set<String> = ["optional", "defaultValueString"]

    /// True when one of the edits is inside what the other adds or removes.
    func touches(_ other: Edit) -> Bool {
      places.contains { place in
        other.places.contains { their in
          place == their || [".", "@", "#"].contains { place.hasPrefix(their + $0) || their.hasPrefix(place + $0) }
        }
      }
    }
  }

  var entities: [String: Entity] = [:]

  static func random(_ random: inout SeededGenerator) -> EditableModel {
    var model = EditableModel()
    for number in 0..<Int.random(in: 1...6, using: &random) {
      var entity = Entity(attributes: ["syncable": "YES"], properties: [:])
      for property in 0..<Int.random(in: 0...6, using: &random) {
        entity.properties["p\(property)"] = Property(
          attributes: ["attributeType": types.randomElement(using: &random) ?? "Date", "syncable": "YES"],
          userInfo: Bool.random(using: &random) ? ["note": "a"] : [:])
      }
      model.entities["Entity\(number)"] = entity
    }
    return model
  }

  private static let types = ["String", "Date", "Double", "Boolean"]
  private static let names = [
    "optional", "versionHashModifier", "elementID", "defaultValueString", "indexed", "syncable",
  ]

  func randomEdit(_ random: inout SeededGenerator) -> Edit? {
    let fresh = "n\(Int.random(in: 0...9, using: &random))"
    guard let name = entities.keys.sorted().randomElement(using: &random), let entity = entities[name] else {
      return .addEntity(entity: "N\(fresh)")
    }
    let property = entity.properties.keys.sorted().randomElement(using: &random)
    let attribute = Self.names.randomElement(using: &random) ?? "optional"
    switch (Int.random(in: 0...9, using: &random), property) {
    case (0, _): return .addEntity(entity: "N\(fresh)")
    case (1, _): return .removeEntity(entity: name)
    case (2, _): return .setOnEntity(entity: name, attribute: "versionHashModifier", value: fresh)
    case (3, _):
      return .addProperty(entity: name, property: fresh, type: Self.types.randomElement(using: &random) ?? "")
    case (4, let property?): return .removeProperty(entity: name, property: property)
    case (5, let property?): return .unset(entity: name, property: property, attribute: "syncable")
    case (6, let property?): return .note(entity: name, property: property, key: fresh, value: "v")
    case (_, let property?):
      guard attribute != "syncable" else { return nil }
      let value = attribute == "optional" || attribute == "indexed" ? "YES" : "\(name)\(property)\(fresh)"
      return .set(entity: name, property: property, attribute: attribute, value: value)
    default: return nil
    }
  }

  mutating func apply(_ edit: Edit) {
    switch edit {
    case .set(let entity, let property, let attribute, let value):
      entities[entity]?.properties[property]?.attributes[attribute] = value
    case .unset(let entity, let property, let attribute):
      entities[entity]?.properties[property]?.attributes[attribute] = nil
    case .setOnEntity(let entity, let attribute, let value): entities[entity]?.attributes[attribute] = value
    case .note(let entity, let property, let key, let value):
      entities[entity]?.properties[property]?.userInfo[key] = value
    case .addProperty(let entity, let property, let type):
      entities[entity]?.properties[property] = Property(attributes: ["attributeType": type])
    case .removeProperty(let entity, let property): entities[entity]?.properties[property] = nil
    case .addEntity(let entity): entities[entity] = Entity(attributes: ["syncable": "YES"], properties: [:])
    case .removeEntity(let entity): entities[entity] = nil
    }
  }

  func applying(_ edits: [Edit]) -> EditableModel {
    var model = self
    edits.forEach { model.apply($0) }
    return model
  }

  var text: String {
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<model type=\"x\">"]
    for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
      let head = "    <entity name=\"\(name)\"\(Self.text(entity.attributes))"
      guard !entity.properties.isEmpty else {
        lines.append(head + "/>")
        continue
      }
      lines.append(head + ">")
      for (name, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
        let head = "        <attribute name=\"\(name)\"\(Self.text(property.attributes))"
        guard !property.userInfo.isEmpty else {
          lines.append(head + "/>")
          continue
        }
        lines += [head + ">", "            <userInfo>"]
        for (key, value) in property.userInfo.sorted(by: { $0.key < $1.key }) {
          lines.append("                <entry key=\"\(key)\" value=\"\(value)\"/>")
        }
        lines += ["            </userInfo>", "        </attribute>"]
      }
      lines.append("    </entity>")
    }
    return (lines + ["</model>"]).joined(separator: "\n")
  }

  private static func text(_ attributes: [String: String]) -> String {
    attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value)\"" }.joined()
  }
}
