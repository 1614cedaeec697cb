public import Foundation
import ModelDescription

/// Reads the editor's archive: the `elements` file from before XML, and the models inside a mapping model.
public enum ElementsReader {
  /// Reads a file.
  public static func read(fileAt path: String) throws(ModelFileError) -> ModelFile {
    try read(try FileBytes.read(path), path: path)
  }

  /// Reads an archive's bytes.
  ///
  /// - Returns: the model; an archive does not contain locations.
  public static func read(_ data: Data, path: String) throws(ModelFileError) -> ModelFile {
    guard let root = try KeyedArchive(data, path: path).root, root.isKind(of: "XDPMModel") else {
      throw .brokenArchive(path: path, reason: "it contains no XDPMModel")
    }
    return try read(root, path: path)
  }

  static func read(_ root: ArchivedObject, path: String) throws(ModelFileError) -> ModelFile {
    guard let classes = root["_xd_rootPackage"]?["XDBucketForClassesstorage"] else {
      throw .brokenArchive(path: path, reason: "its model has no entities")
    }
    var notes: [String] = []
    var model = ManagedObjectModel(entities: [])
    for object in classes.members where object.isKind(of: "XDPMEntity") {
      model.entities.append(try ElementsEntityReader.entity(object, path: path, notes: &notes))
    }
    model.versionIdentifiers = [root["_modelVersionIdentifier"]?.filledString].compactMap { $0 }
    model.configurations = (root["_configurationsByName"]?.entries ?? []).map { name, members in
      ModelConfiguration(name: name, entityNames: members.members.compactMap { $0.string ?? $0["_name"]?.string })
    }.sorted { $0.name < $1.name }
    try ModelSize.check(model, path: path)
    let start = SourceLocation(file: path, line: 1, column: 1)
    return ModelFile(model: model, notes: notes.map { ModelNote(location: start, sentence: $0) }, path: path)
  }
}

/// Reads an `XDPMEntity` of the editor's archive.
enum ElementsEntityReader {
  static func entity(
    _ object: ArchivedObject, path: String, notes: inout [String]
  ) throws(ModelFileError) -> EntityDescription {
    guard let name = object["_name"]?.filledString else {
      throw .brokenArchive(path: path, reason: "an entity has no name")
    }
    let settings = StereotypeSettings(object)
    var entity = EntityDescription(name: name)
    let className = settings.text("XD_PSK_entityClassName")
    entity.className = className == "NSManagedObject" ? nil : className
    entity.superentityName =
      object["XDBucketForGeneralizationsstorage"]?.members.first?["_general"]?["_name"]?.filledString
    entity.isAbstract = settings.flag("XD_PSK_isAbstract")
    entity.renamingIdentifier = settings.text("XD_PSK_elementID")
    entity.versionHashModifier = settings.text("XD_PSK_versionHashModifier")
    entity.userInfo = settings["XD_PSK_userInfo"]?.textEntries ?? [:]
    entity.compoundIndexes = groups(settings["XDPMCompoundIndexes"])
    entity.uniquenessConstraints = groups(settings["XDPMUniquenessConstraints"])
    for property in object["XDBucketForOwnedAttributesstorage"]?.members ?? [] {
      guard let propertyName = property["_name"]?.filledString else {
        throw .brokenArchive(path: path, reason: "a property of \(name) has no name")
      }
      if property.isKind(of: "XDPMAttribute") {
        entity.attributes.append(attribute(property, name: propertyName, of: name, notes: &notes))
      } else if property.isKind(of: "XDPMRelationship") {
        entity.relationships.append(relationship(property, name: propertyName))
      } else if property.isKind(of: "XDPMFetchedProperty") {
        entity.fetchedProperties.append(FetchedPropertyDescription(name: propertyName))
      } else {
        notes.append(
          "\(name).\(propertyName) is of the unknown kind \(property.classNames.first ?? "?") and is ignored")
      }
    }
    return entity
  }

  private static func groups(_ object: ArchivedObject?) -> [[String]] {
    (object?.elements ?? []).map { group in
      group.elements.compactMap { $0.string ?? $0["_name"]?.string }
    }
  }

  private static func attribute(
    _ object: ArchivedObject, name: String, of entity: String, notes: inout [String]
  ) -> AttributeDescription {
    let settings = StereotypeSettings(object)
    let type = AttributeType(code: Int32(clamping: settings.number("XD_PAttK_attributeType") ?? 0))
    var attribute = AttributeDescription(name: name, type: type)
    attribute.isOptional = settings.flag("XD_PPSK_isOptional")
    attribute.isTransient = settings.flag("XD_PPSK_isTransient")
    attribute.isIndexed = settings.flag("XD_PPSK_isIndexed")
    attribute.isIndexedBySpotlight = settings.flag("XD_PPSK_isSpotlightIndexed")
    attribute.allowsExternalBinaryDataStorage = settings.flag("XD_PAttK_allowsExternalBinaryDataStorage")
    attribute.valueTransformerName = settings.text("XD_PAttK_valueTransformerName")
    attribute.renamingIdentifier = settings.text("XD_PPSK_elementID")
    attribute.versionHashModifier = settings.text("XD_PPSK_versionHashModifier")
    attribute.userInfo = settings["XD_PPSK_userInfo"]?.textEntries ?? [:]
    let bound: AttributeType = type == .string ? .integer64 : type
    func value(_ key: String, as type: AttributeType) -> AttributeValue? {
      guard let text = settings[key]?.string else { return nil }
      let value = AttributeText.value(of: text, as: type)
      if value == nil { notes.append("\(entity).\(name): \(key) “\(text)” is not a valid \(type.name)") }
      return value
    }
    attribute.defaultValue = value("XD_PAttK_defaultValueAsString", as: type)
    attribute.validation.minimum = value("XD_PAttK_minValueString", as: bound)
    attribute.validation.maximum = value("XD_PAttK_maxValueString", as: bound)
    attribute.validation.regularExpression = settings.text("XD_PAttK_regularExpressionString")
    return attribute
  }

  private static func relationship(_ object: ArchivedObject, name: String) -> RelationshipDescription {
    let settings = StereotypeSettings(object)
    var relationship = RelationshipDescription(
      name: name, destinationEntityName: settings["XD_PRK_destination"]?["_name"]?.filledString)
    let inverse = settings["XD_PRK_inverseRelationship"]
    relationship.inverseName = inverse?["_name"]?.filledString
    relationship.inverseEntityName = inverse?["_owner"]?["_name"]?.filledString
    relationship.isOptional = settings.flag("XD_PPSK_isOptional")
    relationship.isTransient = settings.flag("XD_PPSK_isTransient")
    relationship.isIndexed = settings.flag("XD_PPSK_isIndexed")
    relationship.isOrdered = settings.flag("XD_PRK_ordered")
    relationship.minCount = Int(clamping: max(settings.number("XD_PRK_minCount") ?? 0, 0))
    let maxCount = Int(clamping: max(settings.number("XD_PRK_maxCount") ?? 0, 0))
    // The editor keeps 0 for a to-one whose count was never touched.
    let isToMany = settings["XD_PRK_isToMany"]?.value.boolean ?? (maxCount != 1)
    relationship.maxCount = isToMany ? maxCount : 1
    relationship.deleteRule =
      settings.number("XD_PRK_deleteRule").flatMap { DeleteRule(rawValue: Int(clamping: $0)) } ?? .nullify
    relationship.renamingIdentifier = settings.text("XD_PPSK_elementID")
    relationship.versionHashModifier = settings.text("XD_PPSK_versionHashModifier")
    relationship.userInfo = settings["XD_PPSK_userInfo"]?.textEntries ?? [:]
    return relationship
  }
}

/// The settings of an element in the editor's archive, which hang on its stereotypes.
struct StereotypeSettings {
  private let values: [String: ArchivedObject]

  init(_ object: ArchivedObject) {
    var values: [String: ArchivedObject] = [:]
    for stereotype in object["XDBucketForStereotypesstorage"]?.members ?? [] {
      for property in stereotype["XDBucketForOwnedAttributesstorage"]?.members ?? [] {
        if let name = property["_name"]?.string { values[name] = property["_default"] }
      }
    }
    self.values = values
  }

  subscript(name: String) -> ArchivedObject? { values[name] }
  func flag(_ name: String) -> Bool { values[name]?.value.boolean ?? false }
  func text(_ name: String) -> String? { values[name]?.filledString }
  func number(_ name: String) -> Int64? { values[name]?.value.integer }
}
