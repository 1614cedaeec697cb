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
