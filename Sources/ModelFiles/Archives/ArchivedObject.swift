/// One object of a keyed archive; every look at it follows at most one reference, so cycles do no harm.
package struct ArchivedObject: Sendable {
  /// The object itself, never a reference.
  package let value: PropertyList
  private let archive: KeyedArchive

  /// Follows a reference; nil for the archive's null and for a reference to nothing.
  init?(_ value: PropertyList, in archive: KeyedArchive) {
    self.archive = archive
    guard case .uid(let uid) = value else {
      self.value = value
      return
    }
    guard uid > 0, uid < UInt64(archive.objects.count) else { return nil }
    let object = archive.objects[Int(uid)]
    if case .uid = object { return nil }
    if case .string("$null") = object { return nil }
    self.value = object
  }

  /// A field of the object.
  package subscript(key: String) -> ArchivedObject? {
    value.dictionary?[key].flatMap { ArchivedObject($0, in: archive) }
  }

  /// The name of its class, then of those it inherits from.
  package var classNames: [String] {
    guard let description = self["$class"] else { return [] }
    let names = (description["$classes"]?.value.array ?? []).compactMap(\.string)
    return names.isEmpty ? [description["$classname"]?.value.string].compactMap { $0 } : names
  }

  /// True when the object is of the class or of one that inherits from it.
  package func isKind(of className: String) -> Bool { classNames.contains(className) }

  /// The text of a string, boxed or not.
  package var string: String? { value.string ?? self["NS.string"]?.value.string }

  /// The text of a string that is not empty.
  package var filledString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

  /// The members of an array or a set.
  package var elements: [ArchivedObject] {
    let members = value.array ?? self["NS.objects"]?.value.array ?? []
    return members.compactMap { ArchivedObject($0, in: archive) }
  }

  /// True for a dictionary in either form that archives keep them in, an empty one included.
  package var isDictionary: Bool { value.dictionary?["NS.keys"] != nil || self["searchMapping"] != nil }

  /// The entries of a dictionary of strings, in either form that archives keep them in.
  package var entries: [(key: String, value: ArchivedObject)] {
    let keys: [PropertyList]
    let values: [PropertyList]
    if let mapping = self["searchMapping"] {
      keys = mapping["keys"]?["NS.objects"]?.value.array ?? mapping["keys"]?.value.array ?? []
      values = self["values"]?["NS.objects"]?.value.array ?? self["values"]?.value.array ?? []
    } else {
      keys = value.dictionary?["NS.keys"]?.array ?? []
      values = value.dictionary?["NS.objects"]?.array ?? []
    }
    return zip(keys, values).compactMap { key, value in
      guard let key = ArchivedObject(key, in: archive)?.string, let value = ArchivedObject(value, in: archive)
      else { return nil }
      return (key, value)
    }
  }

  /// The values of a dictionary, or the members of an array or a set.
  package var members: [ArchivedObject] {
    isDictionary ? entries.map(\.value) : elements
  }

  /// The entries whose values are strings too.
  package var textEntries: [String: String] {
    Dictionary(entries.compactMap { entry in entry.value.string.map { (entry.key, $0) } }) { first, _ in first }
  }

  /// A truth that is false when the field is missing.
  package func flag(_ key: String) -> Bool { self[key]?.value.boolean ?? false }
}
