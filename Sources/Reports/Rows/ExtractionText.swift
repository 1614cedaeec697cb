public import StoreContents

/// What was taken out of a store, in words.
public enum ExtractionText {
  /// How many objects were asked for, and how many of each entity the new store has.
  public static func text(_ outcome: StoreExtraction.Outcome, of entity: String, at path: String) -> String {
    let total = outcome.objects.values.reduce(0, +)
    let lines = outcome.objects.sorted { $0.key < $1.key }.map { "  \($0.key): \(Quantity.grouped(Int64($0.value)))\n" }
    return "\(path): \(Quantity.text(total, "object")), \(outcome.requested) of \(entity) asked for\n" + lines.joined()
  }
}
