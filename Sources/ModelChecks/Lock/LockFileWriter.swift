import Foundation
import ModelFiles
import VersionHashing

extension LockFile {
  /// The text of the file: versions in their natural order, entities by name, and one value per line.
  ///
  /// Two branches conflict in git only if they record the same version. Entities that are equal in an earlier released
  /// version are not repeated.
  public var text: String {
    var released: String?
    let versions = sortedEntries().map { name, entry in
      let text = entry.text(
        sameAs: base(of: entry, after: released).flatMap { name in
          entries[name].map { (name, $0.hashes) }
        })
      if entry.state != .draft { released = name }
      return "    \(Self.quoted(name)): \(text)"
    }
    let body = versions.isEmpty ? "{}" : "{\n\(versions.joined(separator: ",\n"))\n  }"
    return """
      {
        "version": \(Self.formVersion),
        "recorded": \(Self.quoted(listDigest)),
        "versions": \(body)
      }

      """
  }

  /// Writes the file atomically.
  ///
  /// - Throws: the error of Foundation if it cannot be written.
  public func write() throws { try FileReplacement.write(Data(text.utf8), to: path) }

  fileprivate static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The released version that an entry refers to: the recorded version if that is possible, or the last one.
  ///
  /// An entry does not refer to a draft, because a draft can change.
  private func base(of entry: Entry, after last: String?) -> String? {
    guard let last else { return nil }
    guard let recorded = entry.sameAs, let state = entries[recorded]?.state, state != .draft,
      recorded == last || VersionOrder.isOrdered(recorded, before: last)
    else { return last }
    return recorded
  }
}

extension LockFile.Entry {
  fileprivate func text(sameAs base: (name: String, hashes: VersionHashes)?) -> String {
    var members = ["\"state\": \"\(state.rawValue)\""]
    if let retirement {
      members.append("\"retiredOn\": \(LockFile.quoted(retirement.date))")
      members.append("\"reason\": \(LockFile.quoted(retirement.reason))")
    }
    if let predecessor { members.append("\"after\": \(LockFile.quoted(predecessor))") }
    members.append("\"checksum\": \(LockFile.quoted(hashes.checksum))")
    if let replaces { members.append("\"replaces\": \(LockFile.quoted(replaces))") }
    members += Self.list("allowDataLoss", allowedLosses) + Self.list("mayBlock", mayBlock)
    if !mappings.isEmpty {
      let sources = mappings.sorted { $0.key < $1.key }.map { source, files in
        (source, Self.object(files.sorted { $0.key < $1.key }.map { ($0, LockFile.quoted($1)) }, indent: 8))
      }
      members.append("\"mappings\": " + Self.object(sources, indent: 6))
    }
    members += Self.list("replacesMappings", replacedMappings) + Self.list("joinNames", joinNames)
    let difference = base.map { hashes.entities.difference(from: $0.hashes.entities) }
    let (listed, isShort) =
      if let difference, difference.count < hashes.entities.count { (difference, true) } else {
        (hashes.entities.mapValues { Optional($0) }, false)
      }
    if let base, isShort { members.append("\"sameAs\": \(LockFile.quoted(base.name))") }
    let entities = listed.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { ($0, $1.map { LockFile.quoted($0.base64) } ?? "null") }
    members.append("\"entities\": " + Self.object(entities, indent: 6))
    return "{\n\(members.map { "      \($0)" }.joined(separator: ",\n"))\n    }"
  }

  private static func list(_ key: String, _ names: Set<String>) -> [String] {
    guard !names.isEmpty else { return [] }
    return [
      "\"\(key)\": [\n\(names.sorted().map { "        \(LockFile.quoted($0))" }.joined(separator: ",\n"))\n      ]"
    ]
  }

  private static func object(_ members: [(String, String)], indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    let lines = members.map { "\(space)  \(LockFile.quoted($0)): \($1)" }
    return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n\(space)}"
  }
}

extension [String: VersionHash] {
  /// The hashes that differ from a different list, and nil for names that only the other list has.
  fileprivate func difference(from other: [String: VersionHash]) -> [String: VersionHash?] {
    var difference: [String: VersionHash?] = [:]
    for (name, hash) in self where other[name] != hash { difference[name] = .some(hash) }
    for name in other.keys where self[name] == nil { difference[name] = .some(nil) }
    return difference
  }
}
