import Foundation
import ModelDescription
public import ModelFiles
import VersionHashing

extension LockFile {
  /// The version of the format that is written.
  ///
  /// Earlier versions are read. The first lists every entity of every version, without mapping models. The first two do
  /// not have a digest of the list of released versions.
  static let formVersion = 3

  /// The advice to record the versions that a merged lock file lacks; drafts first, because `--all` releases the rest.
  static let restAdvice: Advice = """
    record each version that is not released yet: \(run: "modelctl", "lock", "--draft", "VERSION"); then the rest, as \
    released: \(run: "modelctl", "lock", "--all"); and the current version, if it is released: \
    \(run: "modelctl", "lock")
    """

  /// The path of the lock file that belongs to a bundle: `Name.lock.json` beside it.
  public static func path(beside bundle: ModelBundle) -> String { path(besideBundleAt: bundle.path) }

  /// The path of the lock file that belongs to a bundle's path.
  public static func path(besideBundleAt path: String) -> String { ProjectFiles.lock(besideBundleAt: path) }

  /// Reads a lock file.
  ///
  /// - Throws: `JSONFileError` with the location of the error, and `ModelFileError` if the file cannot be read.
  public init(contentsOf path: String) throws {
    do {
      try self.init(JSONReader.read(fileAt: path), path: path)
    } catch let error as JSONFileError {
      guard case .conflictMarkers = error.finding else { throw error }
      throw JSONFileError(
        .conflictMarkers(
          advice: """
            resolve the models first, then restore the version that both sides had: \
            \(command: "git show \(ShellWord(path: ":1:./\(path)").text) > \(ShellWord(path: path).text)"); \
            \(LockFile.restAdvice)
            """), at: error.location)
    }
  }

  /// Reads the lock file of a bundle.
  ///
  /// - Returns: the lock file; nil if there is none.
  public static func read(beside bundle: ModelBundle) throws -> LockFile? {
    let path = path(beside: bundle)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try LockFile(contentsOf: path)
  }

  init(_ node: JSONNode, path: String) throws(JSONFileError) {
    self.init(path: path)
    let root = try node.object(keys: ["version", "recorded", "versions"])
    let form = try root.required("version")
    self.form = try form.integer()
    guard 1...Self.formVersion ~= self.form else {
      throw JSONFileError(
        .wrongValue(
          "lock file format \(self.form) is not supported, only formats 1 to \(Self.formVersion); update modelctl"),
        at: form.location)
    }
    location = root.members.first { $0.key == "versions" }?.keyLocation
    if self.form >= 3 {
      let node = try root.required("recorded")
      digest = (try LockFileText.digest(node), node.location)
    }
    let members = try root.required("versions").object().members
    var written: [LockFileEntry] = []
    for member in members { written.append(try LockFileEntry(member, form: self.form)) }
    entries = try LockFileEntry.entries(written)
    try checkPredecessors(members)
  }

  /// Refuses an unknown predecessor, and versions that follow each other in a cycle.
  private func checkPredecessors(_ members: [JSONMember]) throws(JSONFileError) {
    guard entries.values.contains(where: { $0.predecessor != nil }) else { return }
    let followed = followed
    for member in members {
      guard let name = entries[member.key]?.predecessor else { continue }
      let place = try member.value.object()["after"]?.location ?? member.keyLocation
      guard entries[name] != nil else {
        throw JSONFileError(
          .wrongValue("“\(name)” is not a version of this file; name the version before \(member.key)"), at: place)
      }
      guard !followed.contains(member.key) else {
        throw JSONFileError(
          .wrongValue("the versions follow each other in a cycle; name the version before \(member.key)"),
          at: place)
      }
    }
  }
}

/// An entry of a lock file as it is written, before it gets the hashes that it does not repeat.
struct LockFileEntry {
  /// The maximum number of hashes of all entries of a file, so that a small file cannot fill the memory.
  static let hashLimit = 4_000_000

  private let member: JSONMember
  private let base: JSONNode?
  private let checksum: JSONNode
  /// The hashes it lists; nil for an entity that only the version it refers to has.
  private let listed: [String: VersionHash?]
  private var entry: LockFile.Entry

  /// Reads an entry.
  init(_ member: JSONMember, form: Int) throws(JSONFileError) {
    self.member = member
    try LockFileText.checkVersion(member.key, at: member.keyLocation)
    let object = try member.value.object(keys: Self.keys(of: form))
    let stateNode = try object.required("state")
    let word = try stateNode.string()
    guard let state = LockFile.State(rawValue: word) else {
      throw JSONFileError(
        .wrongValue("“\(word)” is not a state; write “released”, “draft” or “retired”"), at: stateNode.location)
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
    if state == .retired {
      let date = try object.required("retiredOn")
      entry.retirement = LockFile.Retirement(
        date: try LockFileText.day(date), reason: try LockFileText.reason(object.required("reason")))
    } else if let node = object["retiredOn"] ?? object["reason"] {
      throw JSONFileError(
        .wrongValue(
          "\(member.key) is not retired",
          "retire it: \(run: "modelctl", "lock", "--retire", member.key, "--reason", "REASON")"), at: node.location)
    }
    entry.sameAs = try base.map(LockFileText.version)
    for source in try object["mappings"]?.object().members ?? [] {
      try LockFileText.checkVersion(source.key, at: source.keyLocation)
      for file in try source.value.object().members {
        try LockFileText.checkMappingPath(file.key, at: file.keyLocation)
        entry.mappings[source.key, default: [:]][file.key] = try LockFileText.digest(file.value)
      }
    }
  }

  private static func keys(of form: Int) -> [String] {
    let first = ["state", "after", "checksum", "replaces", "allowDataLoss", "joinNames", "entities"]
    let steps = ["mayBlock", "mappings", "replacesMappings", "sameAs"]
    return first + (form == 1 ? [] : steps) + (form < 3 ? [] : ["retiredOn", "reason"])
  }

  private static func names(_ node: JSONNode?) throws(JSONFileError) -> Set<String> {
    var names: Set<String> = []
    for node in try node?.array() ?? [] { names.insert(try LockFileText.name(node)) }
    return names
  }

  private static func hash(_ node: JSONNode, mayLack: Bool) throws(JSONFileError) -> VersionHash? {
    if mayLack, case .null = node.value { return nil }
    guard let data = Data(base64Encoded: try node.string()), let hash = VersionHash(data) else {
      throw JSONFileError(.wrongValue("this is not a version hash of 32 bytes in base64"), at: node.location)
    }
    return hash
  }

  /// Completes entries, each after the entry that it refers to.
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
          \(lost.member.key) lists only its differences from “\(name)”, which is not in this file or refers to it itself; \
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
      let place = entry.sameAs.map { "the entry, or the entry of “\($0)” that it refers to," } ?? "the entry"
      let advice: Advice =
        entry.sameAs == nil
        ? "restore it with git"
        : """
        take the file of a single branch: \(command: "git checkout BRANCH -- \(path)"); \(LockFile.restAdvice)
        """
      throw JSONFileError(
        .wrongValue(
          """
          the checksum does not match the entities of \(member.key): \(place) was edited by hand or merged badly
          """, advice), at: checksum.location)
    }
    return entry
  }
}
