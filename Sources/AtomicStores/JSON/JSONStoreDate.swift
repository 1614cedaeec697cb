import MappingModels
import ModelFiles

/// Reads dates of a JSON store: a text of ISO 8601, or seconds since 2001.
enum JSONStoreDate {
  static func seconds(_ node: JSONNode) -> Double? {
    switch node.value {
    case .number(let number): number
    case .string(let text): ISO8601Date.secondsSinceReferenceDate(text) ?? nonFinite(text)
    default: nil
    }
  }

  private static func nonFinite(_ text: String) -> Double? {
    ["inf", "-inf", "nan"].contains(text) ? Double(text) : nil
  }
}
