import ModelFiles

/// An object of a binary store as its archive has it.
struct BinaryStoreNode {
  /// The keys of a relationship's objects.
  struct Links {
    let keys: [Int64]
    let isOrdered: Bool
    let isMutable: Bool
  }

  let entity: String
  let key: Int64
  /// The numbers of the values by position, in the archive.
  let values: [UInt64]
  let links: [String: Links]

  init(_ node: ArchivedObject, key: Int64, in archive: KeyedArchive, path: String) throws {
    func fail(_ cause: String) -> StoreDocumentError {
      StoreDocumentError(path: path, .object("object \(key)", property: nil), .malformed(cause))
    }
    guard let entity = node["NSEntityName"]?.string else { throw fail("the object has no NSEntityName") }
    guard node["NSPrimaryKey64"]?.leaf?.integer == key else { throw fail("its NSPrimaryKey64 differs from its key") }
    (self.entity, self.key) = (entity, key)
    guard let array = node["NSAttributeValues"], array.isKind(of: "NSArray"),
      let values = array["NS.objects"]?.numbers
    else { throw fail("its NSAttributeValues is not an array") }
    for number in values where archive.object(numbered: number) == nil {
      throw fail("an element of its NSAttributeValues is missing")
    }
    self.values = values
    var links: [String: Links] = [:]
    if let related = node["NSRelatedNodes"] {
      guard related.isKind(of: "NSDictionary"), let names = related.numbers(in: "NS.keys"),
        let lists = related.numbers(in: "NS.objects"), names.count == lists.count
      else { throw fail("its NSRelatedNodes is not a dictionary") }
      for (name, list) in zip(names, lists) {
        guard let name = archive.object(numbered: name)?.string, let list = archive.object(numbered: list),
          let found = Self.links(list)
        else { throw fail("an entry of its NSRelatedNodes is not a list of keys") }
        guard links.updateValue(found, forKey: name) == nil else { throw fail("the object has \(name) twice") }
      }
    }
    self.links = links
  }

  private static func links(_ list: ArchivedObject) -> Links? {
    let isOrdered = list.isKind(of: "NSOrderedSet")
    guard isOrdered || list.isKind(of: "NSArray") || list.isKind(of: "NSSet") else { return nil }
    let members = isOrdered && list["NS.objects"] == nil ? list.numberedElements : list.elements
    let keys = members.compactMap { $0.leaf?.integer }
    guard keys.count == members.count, Set(keys).count == keys.count else { return nil }
    return Links(
      keys: keys, isOrdered: isOrdered, isMutable: !list.isKind(of: "NSArray") || list.isKind(of: "NSMutableArray"))
  }
}
