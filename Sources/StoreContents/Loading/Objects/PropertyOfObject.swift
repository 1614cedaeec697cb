import StoreRows

/// A property of one object.
struct PropertyOfObject: Hashable {
  let object: RecordID
  let property: String
}
