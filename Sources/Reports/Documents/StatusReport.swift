public import ModelChecks
import ModelDescription
public import ModelFiles
public import PersistentStores
public import StoreMigration

/// The version of each store, and the migration that it needs.
public struct StatusReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The stores in the given order.
  public let stores: [Store]

  private enum CodingKeys: CodingKey {
    case version, stores
  }

  /// Creates a report of stores.
  public init(_ stores: [Store]) { self.stores = stores }

  /// One store.
  public struct Store: Encodable, Hashable, Sendable {
    /// The path as it was given.
    public let path: String
    /// The state of the store with regard to the current version.
    public let state: StoreIdentification.State
    /// The version that wrote it.
    public let modelVersion: String?
    /// The version identifiers that the store contains; nil if they are not known.
    public let versionIdentifiers: [String]?
    /// The bundle of the version, or of the nearest version.
    public let bundle: String?
    /// The configuration whose entities it has; nil for the complete model.
    public let configuration: String?
    /// `bundle`, `cached model`, or nil.
    public let matchedBy: String?
    /// The current version of the bundle.
    public let target: String?
    /// The nearest version, if the store's version is in no bundle.
    public let nearest: String?
    /// The differences of the store from the nearest version.
    public let differences: [Difference]?
    /// The recorded version with the store's hashes, if no bundle has this version unchanged.
    public let recorded: Recorded?
    /// The steps of the migration, planned without checking rows; nil if there are none, or if it is refused.
    public let steps: [Step]?
    /// The reason why the migration is refused, whatever the rows are.
    public let refusal: String?
    /// Further notes for the user.
    public let notes: [String]
    fileprivate let options: String
    /// The store in suggested commands.
    fileprivate let store: String
    fileprivate let newest: String?
    fileprivate let cannotMerge: Bool
    fileprivate let missing: MissingConfiguration?
    fileprivate let isOtherwise: Bool

    private enum CodingKeys: CodingKey {
      case path, state, modelVersion, versionIdentifiers, bundle, configuration, matchedBy, target, nearest
      case differences, recorded, steps, refusal, notes
    }

    /// Encodes every key; keys without a value are null.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      try container.encode(state, forKey: .state)
      try container.encode(modelVersion, forKey: .modelVersion)
      try container.encodeIfPresent(versionIdentifiers, forKey: .versionIdentifiers)
      try container.encode(bundle, forKey: .bundle)
      try container.encodeIfPresent(configuration, forKey: .configuration)
      try container.encode(matchedBy, forKey: .matchedBy)
      try container.encode(target, forKey: .target)
      try container.encodeIfPresent(nearest, forKey: .nearest)
      try container.encodeIfPresent(differences, forKey: .differences)
      try container.encodeIfPresent(recorded, forKey: .recorded)
      try container.encodeIfPresent(steps, forKey: .steps)
      try container.encodeIfPresent(refusal, forKey: .refusal)
      try container.encode(notes, forKey: .notes)
    }
  }

  /// A step of a migration.
  public struct Step: Encodable, Hashable, Sendable {
    /// The source version.
    public let from: String
    /// The destination version.
    public let to: String
    /// The mapping model's file; nil when the step is inferred.
    public let mapping: String?
    /// The readers that can run it; Core Data does not read mapping files.
    public let readers: [MigrationReader]

    init(_ part: PathPart) {
      (from, to, mapping) = (part.source.name, part.destination.name, part.mappingPath)
      readers = part.writtenMapping?.isMappingFile ?? false ? [.modelctl] : MigrationReader.allCases
    }
  }

  /// A version as a lock file has recorded it.
  public struct Recorded: Encodable, Hashable, Sendable {
    /// The version's name.
    public let version: String
    /// Its bundle.
    public let bundle: String
    /// The lock file.
    public let lockFile: String
    /// The recorded state.
    public let state: LockFile.State
    /// The edits since then; empty if the version was deleted.
    public let edits: [String]
    /// The day its support ended; absent unless it is retired.
    public let retiredOn: String?
    /// The reason why its support ended.
    public let reason: String?
    /// The last tag, or else commit, with the version; its build migrates the version's stores.
    public let lastBuild: String?
    /// The destination version of that build.
    public let lastTarget: String?
    /// A git revision with the version as it was recorded.
    public let revision: String?
    /// The command that restores it.
    public let restore: String?
  }

  /// The difference of a single entity.
  public struct Difference: Encodable, Hashable, Sendable {
    /// The entity's name in the store.
    public let entity: String
    /// The difference as a sentence.
    public let sentence: String
    /// Whether the difference is explained by a found edit that reproduces the store's hash, or by another difference.
    public let isExplained: Bool
  }
}

extension StatusReport.Store {
  /// Creates a report of an identified store.
  ///
  /// - Parameters:
  ///   - store: the store in suggested commands, if it differs from the path.
  ///   - options: the options to repeat in suggested commands, such as `--model` with its value.
  ///   - identifiers: the version identifiers in its metadata; nil for the text of an error.
  ///   - newest: the last version of the store's bundle.
  ///   - retirement: the date and the reason of the retirement of its version.
  ///   - sequences: the orders of the bundles' versions, by the bundles' paths; by default, the order of their names.
  ///   - missing: the only configuration to consider, if the current version does not have it.
  ///   - support: the folder of large values, if it is missing beside the store.
  ///   - outlook: the path of the migration, or the reason why it is refused; nil if no migration is needed or
  ///     possible.
  ///   - otherConfiguration: the requested configuration, if the store has other entities.
  ///   - isMirrored: whether CloudKit mirrors the store.
  public init(
    path: String, _ identification: StoreIdentification, of store: String? = nil, otherBundles: [String] = [],
    options: String = "", identifiers: [String]? = nil,
    newest: String? = nil, retirement: LockFile.Retirement? = nil, sequences: [String: VersionSequence] = [:],
    recorded: RecordedRelease? = nil, missing: MissingConfiguration? = nil, support: MissingSupportFolder? = nil,
    outlook: Result<MigrationPath?, any Error>? = nil, otherConfiguration: String? = nil, isMirrored: Bool = false
  ) {
    (self.path, self.store) = (path, store ?? path)
    switch outlook {
    case .success(let migrationPath)?: (steps, refusal) = (migrationPath?.parts.map(StatusReport.Step.init), nil)
    case .failure(let error)?: (steps, refusal) = (nil, error.sentence)
    case nil: (steps, refusal) = (nil, nil)
    }
    (self.options, self.newest, versionIdentifiers) = (options, newest, identifiers?.filter { !$0.isEmpty })
    state = identification.state
    modelVersion = identification.version?.name
    matchedBy = identification.matchedBy?.rawValue
    configuration = identification.configuration ?? identification.nearest?.configuration
    let found = identification.version ?? identification.nearest?.version
    bundle = found?.bundle
    cannotMerge = identification.unionError != nil
    let missing = missing ?? identification.target.flatMap { identification.missingConfiguration(in: $0) }
    self.missing = missing
    isOtherwise = otherConfiguration != nil
    target = identification.target?.name
    nearest = identification.nearest?.version.name
    self.recorded = recorded.map { StatusReport.Recorded($0) }
    differences = identification.nearest?.differences.map { difference in
      StatusReport.Difference(
        entity: difference.entity, sentence: difference.description, isExplained: difference.kind.isExplained)
    }
    let rival = identification.currentConfiguration.map { name in
      """
      configuration \(name) of the current version has the same entities; if your app opens the store with it, add \
      --configuration \(name)
      """
    }
    let retired = retirement.map { "\(identification.version?.name ?? "its version") is retired: \($0.words)" }
    let other = otherConfiguration.map { Self.words(on: $0, identification) }
    var notes = Self.notes(on: identification)
    notes += [other, rival].compactMap { $0 } + Self.waysBack(identification, sequences)
    notes += [retired, identification.unionError.map { "\($0)" }, missing.map(\.sentence)].compactMap { $0 }
    notes += [support.map { "\($0)" }, isMirrored ? StoreReader.mirroringNote : nil].compactMap { $0 }
    if !otherBundles.isEmpty {
      let names = NameList.text(otherBundles, last: " and ")
      let have = otherBundles.count == 1 ? "has" : "have"
      notes.append("\(names) \(have) the same version; name the bundle of the app: --model PATH")
    }
    self.notes = notes
  }

  /// The notes that a store's version, or a part of it, is newer than the current version.
  ///
  /// Names with different stems do not show an order by themselves.
  private static func waysBack(
    _ identification: StoreIdentification, _ sequences: [String: VersionSequence]
  ) -> [String] {
    guard let version = identification.version, let target = identification.target else { return [] }
    let targets = target.parts.isEmpty ? [target] : target.parts
    return (version.parts.isEmpty ? [version] : version.parts).compactMap { source in
      guard let current = targets.first(where: { $0.bundle == source.bundle }), current.name != source.name
      else { return nil }
      let order =
        sequences[source.bundle] ?? VersionSequence(of: [current.name, source.name], currentName: current.name)
      guard order.isOrdered(current.name, before: source.name) == true else { return nil }
      let names = version.parts.isEmpty ? (source.name, current.name) : (source.partName, current.partName)
      return """
        \(names.0) is newer than the current version \(names.1), so this is a downgrade; to make \(names.0) current, \
        name it in the bundle's .xccurrentversion, or migrate with --to
        """
    }
  }

  /// The note that a store has other entities than a configuration.
  private static func words(on name: String, _ identification: StoreIdentification) -> String {
    let version = identification.version?.name ?? ""
    guard let own = identification.configuration else {
      return "it has all entities of \(version), not only those of configuration \(name); omit --configuration"
    }
    return """
      it has the entities of configuration \(own) of \(version), not of \(name); use --configuration \
      \(ShellWord(own).text), or omit the option
      """
  }

  private static func notes(on identification: StoreIdentification) -> [String] {
    switch identification.cache {
    case .absent, .fresh: []
    case .stale: ["the store's cached model is of another version and was not used"]
    case .unreadable(let error): ["the store's cached model cannot be read: \(error.sentence)"]
    }
  }
}

extension StatusReport.Recorded {
  fileprivate init(_ recorded: RecordedRelease) {
    (version, bundle, lockFile) = (recorded.name, recorded.bundle, recorded.lockPath)
    (state, edits, revision) = (recorded.state, recorded.edits, recorded.revision)
    (retiredOn, reason) = (recorded.retirement?.date, recorded.retirement?.reason)
    (lastBuild, lastTarget) = (recorded.lastBuild?.revision, recorded.lastBuild?.currentVersion)
    restore = recorded.restoring
  }

  /// The recorded version, and its edits or its deletion.
  fileprivate var sentence: String {
    if let retiredOn, let reason {
      return "written by \(version) of \(bundle), a retired version; its support ended on \(retiredOn): \(reason)"
    }
    let origin = "written by \(version) of \(bundle) as \(state == .draft ? "recorded as a draft" : "released")"
    guard !edits.isEmpty else { return "\(origin); the version was deleted" }
    let limit = TextWidth.listed(5)
    let shown = edits.prefix(limit).joined(separator: "; ")
    let more = edits.count > limit ? "; and \(edits.count - limit) more" : ""
    return "\(origin); the file was edited since: \(shown)\(more)"
  }
}

extension StatusReport {
  /// One paragraph per store, and from five stores on a last line with their numbers.
  public var text: String {
    let paragraphs = stores.map(\.text).joined(separator: "\n")
    guard stores.count > 4 else { return paragraphs }
    let current = stores.count { $0.state == .current }
    let old = stores.count { $0.state == .needsMigration && $0.canBeMigrated }
    let rest = stores.count - current - old
    let counts = [
      (current, "current"), (old, old == 1 ? "needs migration" : "need migration"), (rest, "cannot be migrated"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(paragraphs)\n\(Quantity.text(stores.count, "store")): \(counts.joined(separator: ", "))\n"
  }
}

extension StatusReport.Store {
  var text: String {
    var lines = [path]
    let place = bundle.map { " of \($0)" } ?? ""
    if let recorded {
      lines += WrappedText.lines(recorded.sentence, lead: "  ", indent: "    ")
    } else if let modelVersion {
      let part = configuration.map { ", configuration \($0)" } ?? ""
      lines.append("  written by version \(modelVersion)\(place)\(part)")
    } else if matchedBy != nil {
      lines.append("  written by a version that is not in this project; the store contains its own copy of the model")
    } else {
      lines.append("  written by a version that is not in this project; the store does not contain a model")
    }
    if modelVersion == nil, let versionIdentifiers, !versionIdentifiers.isEmpty {
      lines.append("  version identifier \(versionIdentifiers.joined(separator: ", "))")
    }
    if recorded == nil, let nearest, let differences {
      let count = Quantity.text(differences.count, "entity differs", "entities differ")
      lines.append("  nearest version \(nearest)\(place); \(count)")
      lines += differences.flatMap { WrappedText.lines($0.sentence, lead: "    ", indent: "      ") }
    }
    lines += need
    lines += notes.flatMap { WrappedText.lines("note: \($0)", lead: "  ", indent: "    ") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether a migration can be started: the version is known, and there is a destination.
  public var canBeMigrated: Bool {
    state != .unknown && !cannotMerge && missing == nil && refusal == nil && !isOtherwise
  }

  /// The commands for a store whose recorded version was changed or deleted.
  private func restoring(_ recorded: StatusReport.Recorded) -> [String] {
    let name = recorded.version
    if let build = recorded.lastBuild {
      let target = recorded.lastTarget.map { ", to \($0)" } ?? ""
      return [
        "  cannot be migrated here; the last build that can migrate it is the build of \(build)\(target)",
        "  or restore \(name): \(recorded.restore ?? "")", "  then: \(migrateCommand)",
      ]
    }
    guard let restore = recorded.restore, let revision = recorded.revision else {
      return [
        "  cannot be migrated as it is: no git revision has the original \(name)",
        bundle.flatMap(recovering)
          ?? "  undo the edits, then run: modelctl status \(ShellWord(path: path).text)\(options)",
      ]
    }
    return [
      "  cannot be migrated as it is; \(revision) has the original \(name): \(restore)",
      "  then: \(migrateCommand)",
    ]
  }

  private var need: [String] {
    if let recorded, !canBeMigrated { return restoring(recorded) }
    if let missing { return ["  cannot be migrated to \(missing.version) as it is"] }
    return switch (state, target) {
    case (.current, let target?): ["  current: nothing to do, \(target) is the current version"]
    case (.needsMigration, let target?): migration(to: target)
    case (_, let target?):
      [
        "  cannot be migrated to \(target) as it is: its version must be found first",
        bundle.map {
          recovering(in: $0) ?? "  search for a revision that has it: \(GitAdvice.history(of: $0))"
        } ?? "",
      ].filter { !$0.isEmpty }
    case (_, nil) where cannotMerge: ["  cannot be migrated: the current versions of its bundles cannot be merged"]
    case (_, nil) where modelVersion != nil:
      [
        "  its bundle does not name an existing current version: choose a destination with --to"
          + (newest.map { ", such as: \(migrateCommand) --to \(ShellWord($0).text)" } ?? "")
      ]
    case (_, nil) where matchedBy != nil:
      [
        "  to migrate it, give the app's model bundle: --model PATH",
        "  to see its model: modelctl show \(ShellWord(path: store).text); query, dump and export work too",
      ]
    case (_, nil): ["  to migrate it, give the app's model bundle: --model PATH"]
    }
  }

  /// The migration, or the reason why it is refused.
  private func migration(to target: String) -> [String] {
    if let refusal {
      return ["  cannot be migrated to \(target) as it is:"]
        + refusal.split(separator: "\n").flatMap { WrappedText.lines(String($0), lead: "    ", indent: "      ") }
    }
    let own = (steps ?? []).filter { $0.readers == [.modelctl] }.map { step in
      "only modelctl runs the step from \(step.from) to \(step.to), by \(step.mapping ?? "a mapping file")"
    }
    return ["  needs migration to \(target): \(migrateCommand)"]
      + own.flatMap { WrappedText.lines($0, lead: "    ", indent: "      ") }
      + ["    rows are not checked; to try the migration on a copy, add --dry-run"]
  }

  /// The command that makes the version again; nil if a difference is not explained.
  private func recovering(in bundle: String) -> String? {
    guard differences?.allSatisfy(\.isExplained) ?? false else { return nil }
    let words = "\(ShellWord(path: store).text) --model \(ShellWord(path: bundle).text)"
    return "  to make it from the edits above: modelctl new-version --as-store \(words)"
  }

  private var migrateCommand: String { "modelctl migrate \(ShellWord(path: store).text)\(options)" }
}
