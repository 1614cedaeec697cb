import ModelFiles
import StoreRows

/// An object of a text, in terms of the model.
struct ParsedObject {
  /// The target of a link.
  enum Target: Hashable {
    /// A key of the text or of the store, with the named entity or the relationship's destination.
    case key(RecordID)
    /// The value of the attribute by which the destination is matched.
    case value(RecordValue, text: String)
  }

  let entity: LoadModel.Entity
  let key: Int64?
  /// The attributes that the text names, including null values.
  var values: [String: RecordValue] = [:]
  /// The attributes that are null in a new object if the text does not name them.
  var omitted: [String] = []
  /// To-one and to-many relationships; an empty list for an empty relationship.
  var links: [String: [Target]] = [:]
  /// The elements of composite attributes that an existing object keeps, by attribute.
  var unsaid: [String: [[String]]] = [:]
  /// The properties with wrong values.
  var unread: Set<String> = []
  let location: SourceLocation

  /// The attributes of an existing object.
  ///
  /// - Parameter stored: reads the object, if it keeps some elements.
  func update(of stored: () throws -> ObjectRecord?) rethrows -> [String: RecordValue] {
    guard !unsaid.isEmpty, let record = try stored() else { return values }
    var values = values
    for (name, paths) in unsaid {
      for path in paths {
        let element = (record[name] ?? .null).element(at: path.dropFirst())
        values[name] = values[name]?.replacing(elementAt: path.dropFirst(), by: element)
      }
    }
    return values
  }

  var newValues: [String: RecordValue] {
    var all = values
    for name in omitted where all[name] == nil { all[name] = .null }
    return all
  }

  /// The values of a new object, its links by key.
  func insertion(isToMany: (String) -> Bool, target: (Target) -> RecordID?) -> [String: RecordValue] {
    var all = newValues
    for (name, targets) in links {
      let ids = targets.compactMap(target)
      all[name] = isToMany(name) ? .objects(ids) : ids.first.map { .object($0) } ?? .null
    }
    return all
  }
}
