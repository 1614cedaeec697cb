import StoreRows

/// What an object was when it was read, by which a save knows what somebody changed, and whether somebody else did.
///
/// Two are equal when the object had been saved as often.
public struct ObjectVersion: Hashable, Sendable {
  /// How often the object had been saved, `Z_OPT`; nil where that is not known, and then nobody's save is a conflict.
  public let number: Int64?
  /// What the store keeps of the object, without to-many relationships.
  let values: [String: RecordValue]

  init(number: Int64?, values: [String: RecordValue]) {
    self.number = number
    let hasLists = values.values.contains { if case .objects = $0 { true } else { false } }
    guard hasLists else {
      self.values = values
      return
    }
    self.values = values.filter { if case .objects = $0.value { false } else { true } }
  }

  /// True for versions of the same number.
  public static func == (first: ObjectVersion, second: ObjectVersion) -> Bool { first.number == second.number }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
