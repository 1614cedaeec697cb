import ModelDescription
import ModelFiles

/// The changes of a branch in the models of a project.
public struct BranchReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The earlier state, as it was named.
  public let base: String
  /// The bundles that were added, removed, or whose current model changed, in the order of their paths.
  public let bundles: [Bundle]

  private enum CodingKeys: CodingKey {
    case version, base, bundles
  }

  /// One bundle.
  public struct Bundle: Encodable, Hashable, Sendable {
    /// The path, relative to the current folder.
    public let path: String
    /// The path in the earlier state, if it differs.
    public let sourcePath: String?
    /// `changed`, `added` or `removed`.
    public let state: String
    /// The added versions, in order.
    public let addedVersions: [String]
    /// The changes between the two current versions; absent for an added or removed bundle.
    public let difference: DifferenceReport?
    /// The losses of the migration between the current versions, by name, as `--allow-data-loss` takes them.
    public let losses: [String]
    /// The number of entities of an added or removed bundle.
    let entityCount: Int

    private enum CodingKeys: CodingKey {
      case path, sourcePath, state, addedVersions, difference, losses
    }

    /// A bundle that both states have.
    public init(
      path: String, sourcePath: String? = nil, addedVersions: [String], _ difference: DifferenceReport, losses: [String]
    ) {
      (self.path, self.sourcePath, self.addedVersions) = (path, sourcePath, addedVersions)
      self.difference = difference
      (state, entityCount, self.losses) = ("changed", 0, losses)
    }

    /// Creates an added or removed bundle.
    public init(path: String, isAdded: Bool, addedVersions: [String], entityCount: Int) {
      (self.path, sourcePath, self.addedVersions, self.entityCount) = (path, nil, addedVersions, entityCount)
      (state, difference, losses) = (isAdded ? "added" : "removed", nil, [])
    }

    /// Whether the bundle was changed.
    public var isChanged: Bool {
      sourcePath != nil || difference.map { !$0.changes.isEmpty } ?? true || !addedVersions.isEmpty
    }
  }

  /// Creates a report of the bundles that were changed.
  public init(base: String, _ bundles: [Bundle]) {
    self.base = base
    self.bundles = bundles.filter(\.isChanged)
  }

  /// A paragraph a bundle.
  public var text: String {
    guard !bundles.isEmpty else { return "no model changed since \(base)\n" }
    return bundles.map { bundle in
      let changes = bundle.difference.flatMap { $0.changes.isEmpty ? nil : $0 }
      return "\(bundle.path): \(bundle.summary)\(changes?.sameness ?? "")\n\(changes?.body ?? "")"
    }.joined(separator: "\n")
  }

  /// A heading, and at most five lines a bundle, for a pull request.
  public var markdown: String {
    let count = Quantity.text(bundles.count, "Core Data model")
    guard !bundles.isEmpty else { return "### No Core Data model changed since \(MarkdownText.escaped(base))\n" }
    let sections = bundles.map { bundle in
      "\n**\(MarkdownText.escaped(bundle.path))**: \(MarkdownText.escaped(bundle.summary))\n\n"
        + bundle.lines.map { "- \($0)\n" }.joined()
    }
    return "### \(count) changed since \(MarkdownText.escaped(base))\n" + sections.joined()
  }
}

extension BranchReport.Bundle {
  fileprivate var summary: String {
    guard let difference else { return "\(state), \(Quantity.text(entityCount, "entity", "entities"))" }
    let added = addedVersions.isEmpty ? "" : "; new: \(NameList.text(addedVersions))"
    let move = sourcePath.map { "; moved from \($0)" } ?? ""
    let changes = Quantity.text(difference.changes.count, "change")
    return "from \(difference.from) to \(difference.to), \(changes)\(added)\(move)"
  }

  /// The added, removed and changed elements, the verdict on the migration, and the losses.
  fileprivate var lines: [String] {
    guard let difference else { return [] }
    let changes = difference.changes
    let named: [(title: String, kinds: Set<DifferenceReport.Entry.Kind>)] = [
      ("added", [.added]), ("removed", [.removed]), ("renamed", [.renamed, .moved]),
    ]
    let following: Set<DifferenceReport.Entry.Kind> = [.followsAncestor, .followsRename]
    var lines = named.compactMap { title, kinds in Self.line(title, changes.filter { kinds.contains($0.kind) }) }
    let others = named.reduce(following) { $0.union($1.kinds) }
    if let line = Self.line("changed", changes.filter { !others.contains($0.kind) && !$0.isWithoutEffect }) {
      lines.append(line)
    }
    let followers = Set(changes.filter { following.contains($0.kind) }.map(\.element)).count
    if followers > 0, let last = lines.popLast() {
      lines.append("\(last); \(followers) more changes only follow from these")
    }
    guard !difference.isSameVersion else {
      return lines + ["the version hashes are unchanged, so no store is migrated"]
    }
    let verdict = MarkdownText.escaped(difference.verdict?.words(in: .written).sentence ?? "")
    let loss = losses.isEmpty ? "" : "; **lost**: \(NameList.text(losses.map(MarkdownText.code)))"
    return lines + [verdict + loss]
  }

  private static func line(_ title: String, _ changes: [DifferenceReport.Entry]) -> String? {
    let aspects = Dictionary(grouping: changes, by: \.element)
    var seen: Set<String> = []
    let elements = changes.filter { seen.insert($0.element).inserted }.map { change in
      let aspects = aspects[change.element, default: []].compactMap(\.aspect)
      let detail = change.kind == .renamed ? change.old.map { "was \(MarkdownText.code($0))" } : nil
      let words = detail ?? (aspects.isEmpty ? nil : NameList.text(aspects))
      return MarkdownText.code(change.element) + (words.map { " (\($0))" } ?? "")
    }
    return elements.isEmpty ? nil : "\(title): \(NameList.text(elements))"
  }
}
