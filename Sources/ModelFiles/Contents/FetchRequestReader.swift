import ModelDescription

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
