import Foundation
import ModelFiles
import PersistentStores

/// Makes the metadata of an anonymous copy: what Core Data writes stays, of the app's own entries the names.
struct MetadataMask {
  let values: ValueMask

  /// Core Data's entries begin so; an app's own do not.
  private static let prefixes = ["NS", "_NS"]

  static func isOfCoreData(_ name: String) -> Bool { prefixes.contains { name.hasPrefix($0) } }

  /// Calls a function with every text of the app's own entries.
  static func forEachText(in metadata: StoreMetadata, _ body: (String) -> Void) {
    func visit(_ value: PropertyList) {
      switch value {
      case .string(let text): body(text)
      case .array(let members): members.forEach(visit)
      case .dictionary(let members): members.values.forEach(visit)
      default: break
      }
    }
    for (name, value) in metadata.entries where !isOfCoreData(name) { visit(value) }
  }

  func masked(_ metadata: StoreMetadata) -> Data {
    let entries = metadata.entries.map { name, value in (name, Self.isOfCoreData(name) ? value : masked(value)) }
    return PropertyList.dictionary(Dictionary(entries) { first, _ in first }).binary
  }

  private func masked(_ value: PropertyList) -> PropertyList {
    switch value {
    case .string(let text): return .string(values.texts.mask(text))
    case .data(let bytes):
      var stream = MaskStream(values.key.hash(bytes))
      return .data(Data(stream.bytes(bytes.count)))
    case .date(let moment):
      // Whole days within two years, so that a moment stays one.
      return .date(moment - 86_400 * Double(1 + values.key.hash("date") % 730))
    case .array(let members): return .array(members.map(masked))
    case .dictionary(let members): return .dictionary(members.mapValues(masked))
    case .integer, .unsigned, .real, .single, .boolean, .uid: return value
    }
  }
}
