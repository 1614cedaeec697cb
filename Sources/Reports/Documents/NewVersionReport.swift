import ModelDescription
public import ModelFiles
import PersistentStores

/// A new version.
public struct NewVersionReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The path of the version's bundle.
  public let bundle: String
  /// The single model that became the bundle; nil if it was a bundle before.
  public let convertedFrom: String?
  /// The version's name.
  public let name: String
  /// The path of its folder.
  public let path: String
  /// The version it is a copy of.
  public let previous: String
  /// The revision that the copied version was restored from; nil if it was not restored.
  public let restored: String?
  /// Whether it is now the current version; false for a missing older version.
  public let isCurrent: Bool
  /// The renaming identifiers that were added.
  public let identifiers: [Identifier]
  private let isUnrecorded: Bool

  private enum CodingKeys: CodingKey {
    case version, bundle, convertedFrom, name, path, previous, restored, isCurrent, identifiers
  }

  /// A renaming identifier.
  public struct Identifier: Encodable, Hashable, Sendable {
    /// The entity or property that got it.
    public let element: String
    /// The identifier.
    public let identifier: String
    /// Whether the identifier is the element's name in the revision; false if it is its current name.
    public let isRename: Bool
  }

  /// Creates a report of a new version.
  ///
  /// - Parameter isUnrecorded: whether the bundle has a lock file that should record it.
  public init(_ made: NewModelVersion, isUnrecorded: Bool = false) {
    self.isUnrecorded = isUnrecorded
    bundle = made.bundlePath
    convertedFrom = made.bundle.form == .single ? made.bundle.path : nil
    name = made.name
    isCurrent = made.isCurrent
    path = made.path
    previous = made.previous.name
    restored = made.restoration?.revision
    identifiers = made.identifiers.map { given in
      Identifier(
        element: "\(given.element)", identifier: given.identifier,
        isRename: made.restoration?.renames[given.element] != nil)
    }
  }

  /// Creates a report of a version that was restored to its state when a store was written.
  public init(_ version: RestoredVersion, store: String) {
    (bundle, convertedFrom, isUnrecorded) = (version.bundle.path, nil, false)
    (name, path, previous) = (version.version.name, version.version.path, version.version.name)
    (restored, isCurrent, identifiers) = (store, false, [])
  }

  private var missingText: String {
    let bundle = ShellWord(path: bundle).text
    if let restored {
      let argument = ShellWord(version: name, ofBundleAt: self.bundle).text
      return """
        \(path): restored to its state when \(restored) was written; the current version is unchanged
        to get its edits back: modelctl edit undo --in \(argument) --allow-released --model \(bundle)
        next:
          modelctl status \(ShellWord(path: restored).text) --model \(bundle)
          modelctl check \(bundle)

        """
    }
    let versions = [name, previous].map { ShellWord(version: $0, ofBundleAt: self.bundle).text }.joined(separator: " ")
    let record = isUnrecorded ? "  modelctl lock \(ShellWord(path: path).text)\n" : ""
    return """
      \(path): made from \(previous), with the version hashes of the store; the current version is unchanged
      next:
        modelctl diff \(versions) --model \(bundle)
      \(record)  modelctl check \(bundle)

      """
  }

  /// The new files, and the next commands.
  public var text: String {
    var lines: [String] = []
    if let convertedFrom { lines.append("\(convertedFrom): moved into \(bundle)") }
    guard isCurrent else { return missingText }
    lines.append("\(path): made from \(previous), and now current")
    if let restored { lines.append("\(previous): restored from \(restored); its edits are in \(name)") }
    for rename in identifiers where rename.isRename {
      lines.append("\(rename.element): looks renamed, so it gets the renaming identifier “\(rename.identifier)”")
    }
    let own = identifiers.count { !$0.isRename }
    if own > 0 {
      lines.append("\(Quantity.text(own, "renaming identifier")) added, so that later renames keep the data")
    }
    let versions = [previous, name].map { ShellWord(version: $0, ofBundleAt: self.bundle).text }
    let bundle = ShellWord(path: bundle).text
    lines += [
      "next:", "  modelctl diff \(versions.joined(separator: " ")) --model \(bundle)", "  modelctl check \(bundle)",
    ]
    if restored != nil {
      // What was restored and what is new belong in one commit.
      lines.append("  git add \(bundle)")
    } else {
      lines.append("\(name) is still identical to \(previous); modelctl check reports this until you change \(name)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
