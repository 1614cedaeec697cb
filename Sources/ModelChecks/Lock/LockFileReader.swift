import Foundation
import ModelDescription
public import ModelFiles

extension LockFile {
  /// The version of the form that is written.
  ///
  /// The one before is read: it lists every entity of every version, and says nothing of mapping models.
  static let formVersion = 2

  /// How to record what a lock file lacks that git had from two branches; drafts first, because `--all` releases the rest.
  static let restAdvice = """
    record each version that is no release yet: modelctl lock --draft VERSION; then the others, as released: \
    modelctl lock --all
    """

  /// The path of the lock file that belongs to a bundle: `Name.lock.json` beside it.
  public static func path(beside bundle: ModelBundle) -> String {
    path(besideBundleAt: bundle.path)
  }

  /// The path of the lock file that belongs to a bundle's path.
  public static func path(besideBundleAt path: String) -> String { ProjectFiles.lock(besideBundleAt: path) }

  /// Reads a lock file.
  ///
  /// - Parameter path: the file.
  /// - Throws: `JSONFileError` with the place of what is wrong, and `ModelFileError` when the file cannot be read.
  public init(contentsOf path: String) throws {
    do {
      try self.init(JSONReader.read(fileAt: path), path: path)
    } catch let error as JSONFileError {
      guard case .conflictMarkers = error.finding else { throw error }
      throw JSONFileError(
        .conflictMarkers(
          advice: """
            resolve the models first, then go back to what both sides had: \
            git show \(ShellWord(path: ":1:./\(path)").text) > \(ShellWord(path: path).text); \(LockFile.restAdvice)
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
    self.form = try form.integer()
    guard 1...Self.formVersion ~= self.form else {
      throw JSONFileError(
        .wrongValue("this form of lock file is not known, only 1 to \(Self.formVersion); update modelctl"),
        at: form.location)
    }
    location = root.members.first { $0.key == "versions" }?.keyLocation
    let members = try root.required("versions").object().members
    var written: [LockFileEntry] = []
    for member in members { written.append(try LockFileEntry(member, form: self.form)) }
    entries = try LockFileEntry.entries(written)
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
