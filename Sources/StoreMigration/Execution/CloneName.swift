import Foundation

/// The name of a store's copy: hidden, beside the store, and such that no file of somebody else has it by accident.
///
/// It is `.NAME.modelctl-` and 16 hexadecimal digits, of which the last 8 follow from the first 8 and the store's name.
package struct CloneName: Hashable {
  /// The name.
  let text: String

  /// What SQLite may leave beside a copy.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Makes a name that no other copy has.
  ///
  /// - Parameter store: the name of the store's file.
  init(ofStore store: String) {
    text = Self.name(of: store, number: UInt32.random(in: .min ... .max))
  }

  /// The copy that a file is, or belongs to; nil when the file is something else.
  ///
  /// - Parameters:
  ///   - file: the name of a file beside the store.
  ///   - store: the name of the store's file.
  init?(file: String, ofStore store: String) {
    let main = Self.companions.first { file.hasSuffix($0) }.map { String(file.dropLast($0.count)) } ?? file
    guard let number = UInt32(main.suffix(16).prefix(8), radix: 16), Self.name(of: store, number: number) == main
    else { return nil }
    text = main
  }

  /// The store that a file is a copy of, or belongs to a copy of, by its own name; nil for every other file.
  ///
  /// Of a long name, which a copy does not have whole, the part that it has.
  package static func storeName(ofCopy file: Substring) -> Substring? {
    guard file.first == ".", let mark = file.range(of: ".modelctl-", options: .backwards) else { return nil }
    let store = file[..<mark.lowerBound].dropFirst()
    let isKnown = !isWhole(String(store)) || CloneName(file: String(file), ofStore: String(store)) != nil
    return isKnown && !store.isEmpty ? store : nil
  }

  /// The longest name of a file has 255 bytes, so that of a store is not always taken whole.
  private static let shownBytes = 200

  /// True for the name of a store that its copies have whole; of a longer one they have all but the last scalars, each of
  /// four bytes at the most.
  package static func isWhole(_ store: String) -> Bool { store.utf8.count < shownBytes - 3 }

  private static func name(of store: String, number: UInt32) -> String {
    var shown = store
    while shown.utf8.count > shownBytes { shown.unicodeScalars.removeLast() }
    let digits = hexadecimal(number)
    return ".\(shown).modelctl-\(digits)\(hexadecimal(checksum(digits + store)))"
  }

  private static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// FNV-1a.
  private static func checksum(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
