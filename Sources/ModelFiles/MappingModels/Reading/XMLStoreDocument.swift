/// A Core Data store in the XML form: objects that refer to each other by id.
struct XMLStoreDocument {
  /// The objects in the file's order.
  let objects: [XMLStoreObject]
  let location: SourceLocation
  private let positions: [String: Int]

  init(_ root: MarkupElement) throws(ModelFileError) {
    guard root.name == "database" else {
      throw .mapping(location: root.location, finding: .unexpectedRoot(root.name))
    }
    var objects: [XMLStoreObject] = []
    var positions: [String: Int] = [:]
    for element in root.children(named: "object") {
      let object = try XMLStoreObject(element)
      if let first = positions.updateValue(objects.count, forKey: object.id) {
        throw .mapping(
          location: object.location, finding: .duplicateID(object.id, first: objects[first].location))
      }
      objects.append(object)
    }
    self.objects = objects
    self.positions = positions
    location = root.location
  }

  /// The only object of a type.
  func onlyObject(ofType type: String) throws(ModelFileError) -> XMLStoreObject {
    let found = objects.filter { $0.type == type }
    guard let first = found.first else { throw .mapping(location: location, finding: .noMappingModel) }
    if found.count > 1 {
      throw .mapping(location: found[1].location, finding: .secondMappingModel(first: first.location))
    }
    return first
  }

  /// The objects that a relationship refers to; an object of this file has one owner, so that no id is taken twice.
  func targets(
    of relationship: String, of object: XMLStoreObject, type: String, taken: inout Set<String>
  ) throws(ModelFileError) -> [XMLStoreObject] {
    let location = object.location(of: relationship)
    var targets: [XMLStoreObject] = []
    for id in object.references(relationship) {
      guard let position = positions[id] else {
        throw .mapping(location: location, finding: .danglingReference(relationship: relationship, id: id))
      }
      let target = objects[position]
      let found = target.type == type ? object.announcedDestination(relationship) ?? type : target.type
      guard found == type else {
        throw .mapping(
          location: location,
          finding: .wrongDestination(relationship: relationship, id: id, found: found, expected: type))
      }
      guard taken.insert(id).inserted else {
        throw .mapping(location: location, finding: .sharedObject(relationship: relationship, id: id))
      }
      targets.append(target)
    }
    return targets
  }
}
