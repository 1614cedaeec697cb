import Foundation
import ModelFiles
import VersionHashing

extension LockFile {
  /// The file's text: versions in their natural order, entities by name, one value a line, so that two branches that
  /// record the same version conflict in git and others do not.
  public var text: String {
    let versions = sortedEntries().map { name, entry in "    \(Self.quoted(name)): \(entry.text)" }
    let body = versions.isEmpty ? "{}" : "{\n\(versions.joined(separator: ",\n"))\n  }"
    return "{\n  \"version\": \(Self.formVersion),\n  \"versions\": \(body)\n}\n"
  }

  /// Writes the file; a crash leaves the old file or the new one, whole.
  ///
  /// - Throws: Foundation's error when it cannot be written.
  public func write() throws {
    try FileReplacement.write(Data(text.utf8), to: path)
  }

  /// A text as JSON writes it.
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
}

extension LockFile.Entry {
  fileprivate var text: String {
    let losses = allowedLosses.sorted().map { "        \(LockFile.quoted($0))" }
    let entities = hashes.entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { "        \(LockFile.quoted($0.key)): \(LockFile.quoted($0.value.base64))" }
    var members = ["\"state\": \"\(state.rawValue)\""]
    if let predecessor { members.append("\"after\": \(LockFile.quoted(predecessor))") }
    members.append("\"checksum\": \(LockFile.quoted(hashes.checksum))")
    if let replaces { members.append("\"replaces\": \(LockFile.quoted(replaces))") }
    if !losses.isEmpty { members.append("\"allowDataLoss\": [\n\(losses.joined(separator: ",\n"))\n      ]") }
    let names = joinNames.sorted().map { "        \(LockFile.quoted($0))" }
    if !names.isEmpty { members.append("\"joinNames\": [\n\(names.joined(separator: ",\n"))\n      ]") }
    members.append("\"entities\": " + (entities.isEmpty ? "{}" : "{\n\(entities.joined(separator: ",\n"))\n      }"))
    return "{\n\(members.map { "      \($0)" }.joined(separator: ",\n"))\n    }"
  }
}
