/// The name of a store's copy: hidden, beside the store, and such that no file of somebody else has it by accident.
///
/// It is `.NAME.modelctl-` and 16 hexadecimal digits, of which the last 8 follow from the first 8 and the store's name.
struct CloneName: Hashable {
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

  /// The longest name of a file has 255 bytes, so that of a store is not always taken whole.
  private static func name(of store: String, number: UInt32) -> String {
    var shown = store
    while shown.utf8.count > 200 { shown.removeLast() }
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
