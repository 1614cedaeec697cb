import Foundation
public import ModelDescription
public import ModelFiles
public import VersionHashing

/// An error if a text does not identify the version of a store.
public enum LoggedHashesError: Error, Hashable, Sendable {
  /// The text lacks a version hashes.
  case none(path: String)
  /// The text has a digest of version hashes that no known version has.
  case unknownDigest(path: String)
}

extension LoggedHashesError: AdvisedError {
  /// The path of the text.
  public var place: String? {
    switch self {
    case .none(let path), .unknownDigest(let path): path
    }
  }

  /// The cause as a sentence without the path.
  public var cause: String {
    switch self {
    case .none: "the text has no version hashes of a store"
    case .unknownDigest: "the text has only a digest of version hashes, and no known version has this digest"
    }
  }

  /// The parts of the error message that are needed.
  public var advice: Advice? {
    switch self {
    case .none: "give the complete error message with NSStoreModelVersionHashes"
    case .unknownDigest:
      "give the complete error message, or the model bundle of the app: \(option: "--model", "PATH")"
    }
  }
}

/// The version hashes of a store, from the text of the error that Core Data prints if it cannot open the store.
///
/// Hashes are complete, as in `<0bd34893 …>`, or shortened in the middle, as newer systems print data: `{length = 32,
/// bytes = 0x0bd34893 18e0e6c4 1b0a41c8 99c3b5b1 ... 2bd8d3c9 f8d8a0d2 }`.
public struct LoggedHashes: Hashable, Sendable {
  /// A hash whose middle may be missing.
  private struct Hash: Hashable {
    let start: [UInt8]
    /// The last bytes; nil for a complete hash.
    let end: [UInt8]?

    func fits(_ hash: VersionHash) -> Bool {
      let bytes = hash.bytes
      guard let end else { return bytes.elementsEqual(start) }
      return bytes.prefix(start.count).elementsEqual(start) && bytes.suffix(end.count).elementsEqual(end)
    }

    /// The hash with zeros in place of missing bytes.
    var filled: VersionHash? {
      let end = end ?? []
      guard start.count + end.count <= 32 else { return nil }
      return VersionHash(Data(start + [UInt8](repeating: 0, count: 32 - start.count - end.count) + end))
    }
  }

  private var entities: [String: Hash] = [:]
  /// The digest of the hashes; nil if the text has no digest.
  public private(set) var digest: String?

  /// The most bytes of a text that is read.
  public static let limit = 16 << 20

  /// Finds the hashes of the first store in a text.
  ///
  /// - Returns: nil if the text has no hashes.
  public init?(in text: String) {
    let bytes = Array(text.utf8)
    let key = Array("NSStoreModelVersionHashes".utf8)
    var scanner = Scanner(bytes)
    while let place = scanner.find(key) {
      if scanner.skip("Digest") {
        if digest == nil { digest = scanner.quotedValue() }
        continue
      }
      guard entities.isEmpty, !scanner.skip("Version") else { continue }
      entities = scanner.dictionary()
      // A text that is not a dictionary is searched anyway.
      if entities.isEmpty { scanner.place = place + key.count }
    }
    if entities.isEmpty, digest == nil { return nil }
  }

  /// The hashes, completed from the versions as far as possible.
  ///
  /// If only a digest is known, the hashes of the version with this digest.
  ///
  /// - Returns: nil if only a digest is known and no version has it.
  public func hashes(among versions: [LoadedVersion]) -> VersionHashes? {
    let known = versions.flatMap { version in
      version.configurations.compactMap { version.versionHashes(ofConfiguration: $0) }
    }
    if let digest, let found = known.first(where: { $0.digest == digest }) { return found }
    guard !entities.isEmpty else { return nil }
    if let found = known.first(where: { hashes in
      hashes.entities.count == entities.count && hashes.entities.allSatisfy { entities[$0.key]?.fits($0.value) == true }
    }) {
      return found
    }
    var whole: [String: VersionHash] = [:]
    for (name, hash) in entities {
      whole[name] = known.lazy.compactMap { $0.entities[name] }.first(where: hash.fits) ?? hash.filled
    }
    return VersionHashes(entities: whole)
  }

  /// Reads a description of Foundation's.
  private struct Scanner {
    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Moves after the next occurrence of some bytes, and returns their position.
    mutating func find(_ wanted: [UInt8]) -> Int? {
      while place + wanted.count <= bytes.count {
        if bytes[place] == wanted[0], bytes[place..<place + wanted.count].elementsEqual(wanted) {
          defer { place += wanted.count }
          return place
        }
        place += 1
      }
      place = bytes.count
      return nil
    }

    mutating func skip(_ word: String) -> Bool {
      guard bytes[place...].starts(with: word.utf8) else { return false }
      place += word.utf8.count
      return true
    }

    /// Skips white space, including white space that is written as `\n`.
    private mutating func skipSpace() {
      while let byte {
        if byte == 0x5C, place + 1 < bytes.count, [UInt8(ascii: "n"), UInt8(ascii: "t")].contains(bytes[place + 1]) {
          place += 2
        } else if byte <= 0x20 {
          place += 1
        } else {
          return
        }
      }
    }

    private mutating func skip(anyOf signs: String) -> Bool {
      skipSpace()
      guard let byte, signs.utf8.contains(byte) else { return false }
      place += 1
      return true
    }

    /// The text behind a key.
    mutating func quotedValue() -> String? {
      _ = skip(anyOf: "\"")
      guard skip(anyOf: "=:") else { return nil }
      skipSpace()
      return word()
    }

    /// A quoted name, or the letters up to a sign.
    private mutating func word() -> String? {
      guard let first = byte else { return nil }
      let isQuoted = first == UInt8(ascii: "\"")
      if isQuoted { place += 1 }
      var text: [UInt8] = []
      while let byte {
        if isQuoted {
          if byte == UInt8(ascii: "\"") { break }
        } else if byte <= 0x20 || "=:;,{}[]<>\"".utf8.contains(byte) {
          break
        }
        text.append(byte)
        place += 1
      }
      if isQuoted, byte != nil { place += 1 }
      let found = String(decoding: text, as: UTF8.self)
      return found.isEmpty ? nil : Self.unescaped(found)
    }

    /// Foundation writes letters beyond ASCII as `\U00e4`.
    private static func unescaped(_ text: String) -> String {
      guard text.contains("\\U") else { return text }
      var units: [UInt16] = []
      var rest = text[...]
      while let first = rest.first {
        if rest.hasPrefix("\\U"), let unit = UInt16(rest.dropFirst(2).prefix(4), radix: 16) {
          units.append(unit)
          rest = rest.dropFirst(6)
        } else {
          units += Array(String(first).utf16)
          rest = rest.dropFirst()
        }
      }
      return String(decoding: units, as: UTF16.self)
    }

    mutating func dictionary() -> [String: Hash] {
      _ = skip(anyOf: "\"")
      _ = skip(anyOf: ")")
      guard skip(anyOf: "=:"), skip(anyOf: "{[") else { return [:] }
      var found: [String: Hash] = [:]
      while !skip(anyOf: "}]"), let name = word(), skip(anyOf: "=:"), let hash = hash() {
        found[name] = hash
        _ = skip(anyOf: ";,")
      }
      return found
    }

    private mutating func hash() -> Hash? {
      guard skip(anyOf: "<{"), let end = bytes[place...].firstIndex(where: { $0 == 0x3E || $0 == 0x7D }) else {
        return nil
      }
      defer { place = end + 1 }
      var text = String(decoding: bytes[place..<end], as: UTF8.self)
      if let start = text.range(of: "0x") { text = String(text[start.upperBound...]) }
      let parts = text.replacingOccurrences(of: "…", with: "...").components(separatedBy: "...").map { part in
        part.filter(\.isHexDigit)
      }
      guard parts.count <= 2, parts.allSatisfy({ $0.count % 2 == 0 && $0.count <= 64 }), !parts[0].isEmpty else {
        return nil
      }
      let values = parts.map { part in
        stride(from: 0, to: part.count, by: 2).compactMap { UInt8(part.dropFirst($0).prefix(2), radix: 16) }
      }
      if values.count == 1, values[0].count != 32 { return nil }
      return Hash(start: values[0], end: values.count == 2 ? values[1] : nil)
    }
  }
}
