import ModelFiles
import StoreRows

/// An object of a text in the words of the model.
struct ParsedObject {
  /// What a link leads to.
  enum Target: Hashable {
    /// A key of the text or of the store; the entity is the named one, or the relationship's destination.
    case key(RecordID)
    /// The value of the attribute by which the destination is matched.
    case value(RecordValue, text: String)
  }

  let entity: LoadModel.Entity
  let key: Int64?
  /// The attributes that the text names, null ones among them.
  var values: [String: RecordValue] = [:]
  /// The attributes that have no value in a new object where the text does not name them.
  var omitted: [String] = []
  /// To-one and to-many relationships; none for one that is empty.
  var links: [String: [Target]] = [:]
  /// The elements of composite attributes that stay as they are in an object that is there, by attribute.
  var unsaid: [String: [[String]]] = [:]
  /// The properties whose values are wrong.
  var unread: Set<String> = []
  let location: SourceLocation

  /// The attributes of an object that is there.
  ///
  /// - Parameter stored: reads the object, where some of its elements stay.
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
