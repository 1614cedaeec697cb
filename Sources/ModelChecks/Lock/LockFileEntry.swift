import Foundation
import ModelDescription
import ModelFiles
import VersionHashing

/// An entry of a lock file as it is written, before the hashes it does not repeat are taken from another one.
struct LockFileEntry {
  /// The most hashes that the entries of a file may have together, so that a small file cannot fill the memory.
  static let hashLimit = 4_000_000

  private let member: JSONMember
  private let base: JSONNode?
  private let checksum: JSONNode
  /// The hashes it lists; nil for an entity that the version it goes by has and it has not.
  private let listed: [String: VersionHash?]
  private var entry: LockFile.Entry

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - member: the version's name with what is written of it.
  ///   - form: the version of the file's form.
  /// - Throws: `JSONFileError` with the place of what is wrong.
  init(_ member: JSONMember, form: Int) throws(JSONFileError) {
    self.member = member
    try LockFileText.checkVersion(member.key, at: member.keyLocation)
    let object = try member.value.object(keys: Self.keys(of: form))
    let stateNode = try object.required("state")
    let word = try stateNode.string()
    guard let state = LockFile.State(rawValue: word) else {
      throw JSONFileError(.wrongValue("“\(word)” is no state; write “released” or “draft”"), at: stateNode.location)
    }
    base = object["sameAs"]
    checksum = try object.required("checksum")
    var listed: [String: VersionHash?] = [:]
    for entity in try object.required("entities").object().members {
      listed[entity.key] = .some(try Self.hash(entity.value, mayLack: base != nil))
    }
    self.listed = listed
    entry = LockFile.Entry(
      state: state, hashes: VersionHashes(entities: [:]), allowedLosses: try Self.names(object["allowDataLoss"]),
      predecessor: try object["after"].map(LockFileText.version),
      replaces: try object["replaces"].map(LockFileText.digest),
      location: member.keyLocation)
    entry.joinNames = try Self.names(object["joinNames"])
    entry.mayBlock = try Self.names(object["mayBlock"])
    for node in try object["replacesMappings"]?.array() ?? [] {
      entry.replacedMappings.insert(try LockFileText.digest(node))
    }
    entry.sameAs = try base.map(LockFileText.version)
    for source in try object["mappings"]?.object().members ?? [] {
      try LockFileText.checkVersion(source.key, at: source.keyLocation)
      for file in try source.value.object().members {
        try LockFileText.checkMappingPlace(file.key, at: file.keyLocation)
        entry.mappings[source.key, default: [:]][file.key] = try LockFileText.digest(file.value)
      }
    }
  }

  private static func keys(of form: Int) -> [String] {
    let first = ["state", "after", "checksum", "replaces", "allowDataLoss", "joinNames", "entities"]
    return form == 1 ? first : first + ["mayBlock", "mappings", "replacesMappings", "sameAs"]
  }

  private static func names(_ node: JSONNode?) throws(JSONFileError) -> Set<String> {
    var names: Set<String> = []
    for node in try node?.array() ?? [] { names.insert(try LockFileText.name(node)) }
    return names
  }

  private static func hash(_ node: JSONNode, mayLack: Bool) throws(JSONFileError) -> VersionHash? {
    if mayLack, case .null = node.value { return nil }
    guard let data = Data(base64Encoded: try node.string()), let hash = VersionHash(data) else {
      throw JSONFileError(.wrongValue("this is no version hash: 32 bytes in base64"), at: node.location)
    }
    return hash
  }

  /// Completes entries, each after the one it goes by.
  ///
  /// - Parameter written: the entries of a file.
  /// - Returns: the entries by the versions' names.
  /// - Throws: `JSONFileError` for one that goes by none that can be completed, or whose checksum does not fit.
  static func entries(_ written: [LockFileEntry]) throws(JSONFileError) -> [String: LockFile.Entry] {
    let dependents = Dictionary(grouping: written.indices) { written[$0].entry.sameAs ?? "" }
    var found: [String: LockFile.Entry] = [:]
    var open = written.indices.filter { written[$0].base == nil }
    var rest = hashLimit
    while let position = open.popLast() {
      let (name, entry) = (written[position].member.key, try written[position].completed(among: found))
      rest -= entry.hashes.entities.count
      guard rest >= 0 else {
        throw JSONFileError(
          .wrongValue("the versions have more than \(hashLimit) entities together"),
          at: written[position].member.keyLocation)
      }
      found[name] = entry
      open += (dependents[name] ?? []).filter { written[$0].base != nil }
    }
    for lost in written where found[lost.member.key] == nil {
      let name = lost.entry.sameAs ?? ""
      throw JSONFileError(
        .wrongValue(
          """
          \(lost.member.key) says only in what it differs from “\(name)”, which is not in this file or goes by it itself; \
          restore the entry with git
          """), at: lost.base?.location ?? lost.member.keyLocation)
    }
    return found
  }

  private func completed(among others: [String: LockFile.Entry]) throws(JSONFileError) -> LockFile.Entry {
    var entities = entry.sameAs.flatMap { others[$0]?.hashes.entities } ?? [:]
    for (name, hash) in listed { entities[name] = hash }
    var entry = entry
    entry.hashes = VersionHashes(entities: entities)
    guard try checksum.string() == entry.hashes.checksum else {
      let path = ShellWord(path: checksum.location.file).text
      let advice =
        entry.sameAs.map { base in
          """
          the entry, or that of “\(base)” which it goes by, was edited by hand or merged badly; take the file as one branch \
          has it: git checkout BRANCH -- \(path); \(LockFile.restAdvice)
          """
        } ?? "the entry was edited by hand or merged badly; restore it with git"
      throw JSONFileError(
        .wrongValue("the checksum does not fit the entities of \(member.key): \(advice)"), at: checksum.location)
    }
    return entry
  }
}
