import Foundation
public import ModelFiles
import VersionHashing

extension LockFile {
  /// The version of the form that is read and written.
  static let formVersion = 1

  /// The path of the lock file that belongs to a bundle: `Name.lock.json` beside it.
  public static func path(beside bundle: ModelBundle) -> String {
    path(besideBundleAt: bundle.path)
  }

  /// The path of the lock file that belongs to a bundle's path.
  public static func path(besideBundleAt path: String) -> String {
    let trimmed = BundlePath.trimmed(path)
    return String(trimmed.dropLast(BundlePath.pathExtension(trimmed).count + 1)) + ".lock.json"
  }

  /// Reads a lock file.
  ///
  /// - Parameter path: the file.
  /// - Throws: ``JSONFileError`` with the place of what is wrong, and `ModelFileError` when the file cannot be read.
  public init(contentsOf path: String) throws {
    do {
      try self.init(JSONReader.read(fileAt: path), path: path)
    } catch let error as JSONFileError {
      guard case .conflictMarkers = error.defect else { throw error }
      throw JSONFileError(
        .conflictMarkers(
          advice: """
            resolve the models first, then go back to what both sides had, and record the rest: \
            git show \(ShellPath.quoted(":1:./\(path)")) > \(ShellPath.quoted(path)) && modelctl lock --all; for a version \
            that is no release yet: modelctl lock --draft VERSION
            """), at: error.location)
    }
  }

  /// Reads the lock file of a bundle.
  ///
  /// - Parameter bundle: the bundle.
  /// - Returns: nil when there is none.
  /// - Throws: as ``init(contentsOf:)``.
  public static func read(beside bundle: ModelBundle) throws -> LockFile? {
    let path = path(beside: bundle)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try LockFile(contentsOf: path)
  }

  init(_ node: JSONNode, path: String) throws(JSONFileError) {
    self.init(path: path)
    let root = try node.object(keys: ["version", "versions"])
    let form = try root.required("version")
    guard try form.integer() == Self.formVersion else {
      throw JSONFileError(
        .wrongValue("this form of lock file is not known, only \(Self.formVersion); update modelctl"),
        at: form.location)
    }
    location = root.members.first { $0.key == "versions" }?.keyLocation
    let members = try root.required("versions").object().members
    for member in members { entries[member.key] = try Entry(member) }
    try checkPredecessors(members)
  }
}

extension LockFile {
  /// Refuses a predecessor that is not there, and versions that follow each other in a circle.
  private func checkPredecessors(_ members: [JSONMember]) throws(JSONFileError) {
    guard entries.values.contains(where: { $0.predecessor != nil }) else { return }
    let followed = followed
    for member in members {
      guard let name = entries[member.key]?.predecessor else { continue }
      let place = try member.value.object()["after"]?.location ?? member.keyLocation
      guard entries[name] != nil else {
        throw JSONFileError(
          .wrongValue("“\(name)” is no version of this file; name the one that came before \(member.key)"), at: place)
      }
      guard !followed.contains(member.key) else {
        throw JSONFileError(
          .wrongValue("the versions follow each other in a circle; name the one that came before \(member.key)"),
          at: place)
      }
    }
  }
}

extension LockFile.Entry {
  private static let keys = ["state", "after", "checksum", "replaces", "allowDataLoss", "joinNames", "entities"]

  fileprivate init(_ member: JSONMember) throws(JSONFileError) {
    let object = try member.value.object(keys: Self.keys)
    let stateNode = try object.required("state")
    let word = try stateNode.string()
    guard let state = LockFile.State(rawValue: word) else {
      throw JSONFileError(
        .wrongValue("“\(word)” is no state; write “released” or “draft”"), at: stateNode.location)
    }
    var entities: [String: VersionHash] = [:]
    for entity in try object.required("entities").object().members {
      guard let data = Data(base64Encoded: try entity.value.string()), let hash = VersionHash(data) else {
        throw JSONFileError(
          .wrongValue("this is no version hash: 32 bytes in base64"), at: entity.value.location)
      }
      entities[entity.key] = hash
    }
    let hashes = VersionHashes(entities: entities)
    let checksum = try object.required("checksum")
    guard try checksum.string() == hashes.checksum else {
      throw JSONFileError(
        .wrongValue(
          """
          the checksum does not fit the entities of \(member.key): the entry was edited by hand or merged badly; \
          restore it with git
          """), at: checksum.location)
    }
    var losses: Set<String> = []
    if let node = object["allowDataLoss"] { losses = Set(try node.strings()) }
    self.init(
      state: state, hashes: hashes, allowedLosses: losses, predecessor: try object["after"]?.string(),
      replaces: try object["replaces"]?.string(),
      location: member.keyLocation)
    if let node = object["joinNames"] { joinNames = Set(try node.strings()) }
  }
}
