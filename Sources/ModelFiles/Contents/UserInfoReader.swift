/// Reads a `<userInfo>`; an entry without a value has the empty one.
enum UserInfoReader {
  static func entries(_ element: MarkupElement, _ record: inout ContentsRecord) -> [String: String] {
    var entries: [String: String] = [:]
    for child in element.children {
      var reader = MarkupAttributes(child)
      guard child.name == "entry", let key = reader.text("key") else {
        record.noteUnknown(child, in: element)
        continue
      }
      if entries.updateValue(reader.text("value") ?? "", forKey: key) != nil {
        reader.complain("the key “\(key)” stands twice; the last value counts")
      }
      reader.finish(&record)
    }
    return entries
  }

  /// Reads the only child that properties have; other children are noted.
  static func only(in element: MarkupElement, _ record: inout ContentsRecord) -> [String: String] {
    var entries: [String: String] = [:]
    for child in element.children {
      if child.name == "userInfo" {
        entries.merge(self.entries(child, &record)) { _, later in later }
      } else {
        record.noteUnknown(child, in: element)
      }
    }
    return entries
  }
}
