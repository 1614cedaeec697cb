public import Foundation
import ModelDescription

/// Reads the `contents` file of a model version: the model as Xcode's editor writes it, in XML.
public enum ContentsReader {
  /// Reads a file.
  ///
  /// - Parameter path: the path of the `contents` file.
  /// - Throws: ``ModelFileError``, with line and column for an error in the text.
  public static func read(fileAt path: String) throws(ModelFileError) -> ModelFile {
    try read(try FileBytes.read(path), path: path)
  }

  /// Reads bytes, such as those of a git revision.
  ///
  /// - Parameter data: the file's bytes.
  /// - Throws: ``ModelFileError``, with line and column for an error in the text.
  public static func read(_ data: Data, path: String) throws(ModelFileError) -> ModelFile {
    try file(of: try MarkupReader.read(data, path: path), path: path, entity: LocatedDescription.init)
  }

  /// Makes a file of its elements.
  ///
  /// - Parameter entity: what reads each entity, in the file's order.
  static func file(
    of root: MarkupElement, path: String, entity: (MarkupElement) throws(ModelFileError) -> LocatedDescription
  ) throws(ModelFileError) -> ModelFile {
    guard root.name == "model" else {
      if root.name == "plist" { throw .propertyListInsteadOfXML(path: path) }
      throw .unexpectedRoot(location: root.location, name: root.name)
    }
    var record = ContentsRecord()
    let model = try model(root, &record, entity)
    try ModelSize.check(model, path: path)
    var file = ModelFile(
      model: try CompositeResolver.resolve(model, record),
      locations: record.locations,
      redeclarations: record.redeclarations,
      notes: record.notes.sorted { $0.location < $1.location },
      path: path
    )
    file.looksMirrored = ([root] + root.children(named: "configuration")).contains {
      ["YES", "true", "1"].contains($0[attribute: "usedWithCloudKit"])
    }
    return file
  }

  /// The attributes of the root that name the tools that wrote the file.
  private static let toolAttributes = [
    "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
    "name", "usedWithCloudKit", "usedWithSwiftData", "macOSVersion", "iOSVersion",
  ]

  private static func model(
    _ root: MarkupElement, _ record: inout ContentsRecord,
    _ entity: (MarkupElement) throws(ModelFileError) -> LocatedDescription
  ) throws(ModelFileError) -> ManagedObjectModel {
    var reader = MarkupAttributes(root)
    reader.ignore(toolAttributes)
    let identifier = reader.text("userDefinedModelVersionIdentifier") ?? ""
    record.declare(.model, root)
    var model = ManagedObjectModel(entities: [], versionIdentifiers: identifier.isEmpty ? [] : [identifier])
    for child in root.children {
      switch child.name {
      case "entity":
        let reading = try entity(child)
        record.add(LocatedEntity(reading: reading, start: child.location))
        model.entities.append(reading.entity)
      case "composite": model.composites.append(try composite(child, &record))
      case "configuration": model.configurations.append(try configuration(child, &record))
      case "fetchRequest":
        let request = try FetchRequestReader.request(child, &record)
        record.declare(.fetchRequest(request.name), child)
        model.fetchRequests.append(request)
      case "elements": break
      default: record.noteUnknown(child, in: root)
      }
    }
    reader.finish(&record)
    return model
  }

  private static func composite(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> CompositeDescription {
    var reader = MarkupAttributes(element)
    let name = try reader.name()
    record.declare(.composite(name), element)
    var composite = CompositeDescription(name: name, elements: [])
    for child in element.children {
      if child.name == "attribute" {
        composite.elements.append(try AttributeReader.attribute(child, &record))
      } else {
        record.noteUnknown(child, in: element)
      }
    }
    reader.finish(&record)
    return composite
  }

  private static func configuration(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> ModelConfiguration {
    var reader = MarkupAttributes(element)
    reader.ignore(["usedWithCloudKit"])
    let name = try reader.name()
    record.declare(.configuration(name), element)
    var configuration = ModelConfiguration(name: name, entityNames: [])
    for child in element.children {
      if child.name == "memberEntity" {
        var member = MarkupAttributes(child)
        configuration.entityNames.append(try member.name())
        member.finish(&record)
      } else {
        record.noteUnknown(child, in: element)
      }
    }
    reader.finish(&record)
    return configuration
  }
}

/// Gives every composite attribute of a `contents` file the elements of its type.
enum CompositeResolver {
  static func resolve(_ model: ManagedObjectModel, _ record: ContentsRecord) throws(ModelFileError)
    -> ManagedObjectModel
  {
    let resolution = CompositeResolution(model)
    let fallback = record.locations[.model] ?? SourceLocation(file: "", line: 1, column: 1)
    switch resolution.error {
    case nil: return resolution.model
    case .cycle(let names):
      let location = names.last.flatMap { record.locations[.composite($0)] }
      throw .compositeCycle(location: location ?? fallback, names: names)
    case .tooDeep(let limit):
      throw .tooLarge(path: fallback.file, what: "the nesting of its composite types", limit: limit)
    case .tooMany(let limit):
      throw .tooLarge(path: fallback.file, what: "the number of its composite attributes' elements", limit: limit)
    }
  }
}

/// Reads fetch requests and fetched properties.
enum FetchRequestReader {
  static func request(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> FetchRequestDescription {
    var reader = MarkupAttributes(element)
    var request = FetchRequestDescription(name: try reader.name(), entityName: reader.text("entity") ?? "")
    request.predicate = reader.filledText("predicateString")
    for attribute in element.attributes where !["name", "entity", "predicateString"].contains(attribute.name) {
      request.settings[attribute.name] = attribute.value
    }
    for child in element.children { record.noteUnknown(child, in: element) }
    return request
  }

  static func fetchedProperty(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> FetchedPropertyDescription {
    var reader = MarkupAttributes(element)
    var property = FetchedPropertyDescription(name: try reader.name())
    property.isOptional = reader.flag("optional")
    property.isSyncable = reader.flag("syncable")
    reader.ignore(["transient"])
    for child in element.children {
      switch child.name {
      case "fetchRequest": property.fetchRequest = try request(child, &record)
      case "userInfo": property.userInfo = UserInfoReader.entries(child, &record)
      default: record.noteUnknown(child, in: element)
      }
    }
    reader.finish(&record)
    return property
  }
}
