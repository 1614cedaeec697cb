public import ModelChecks
import ModelDescription
public import ModelFiles
public import PersistentStores
public import StoreMigration

/// Which version wrote each store and what it needs, for people and programs.
public struct StatusReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The stores in the order asked for.
  public let stores: [Store]

  private enum CodingKeys: CodingKey {
    case version, stores
  }

  /// Takes what the stores were identified as.
  public init(_ stores: [Store]) { self.stores = stores }

  /// One store.
  public struct Store: Encodable, Hashable, Sendable {
    /// The path as asked for.
    public let path: String
    /// What opening it with the current version would need.
    public let state: StoreIdentification.State
    /// The version that wrote it.
    public let modelVersion: String?
    /// The bundle that the version, or the nearest one, is in.
    public let bundle: String?
    /// The configuration whose entities it holds, when not the whole model's.
    public let configuration: String?
    /// `bundle`, `cached model`, or nil.
    public let matchedBy: String?
    /// The current version of the bundle.
    public let target: String?
    /// The nearest version when the store's own is in no bundle.
    public let nearest: String?
    /// How the store differs from the nearest version.
    public let differences: [Difference]?
    /// The version of which a lock file has recorded the store's hashes, when no bundle has it so.
    public let recorded: Recorded?
    /// The steps of the migration, planned without looking at rows; nil where there is none, or it is refused.
    public let steps: [Step]?
    /// Why the migration is refused, whatever the rows hold.
    public let refusal: String?
    /// What else a reader should know.
    public let notes: [String]
    fileprivate let options: String
    /// The store in commands that are suggested.
    fileprivate let store: String
    fileprivate let newest: String?
    fileprivate let cannotMerge: Bool
    fileprivate let missing: MissingConfiguration?
    fileprivate let isOtherwise: Bool

    private enum CodingKeys: CodingKey {
      case path, state, modelVersion, bundle, configuration, matchedBy, target, nearest, differences, recorded, steps
      case refusal, notes
    }

    /// Writes every key, those without a value as null.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      try container.encode(state, forKey: .state)
      try container.encode(modelVersion, forKey: .modelVersion)
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
    /// The version it starts from.
    public let from: String
    /// The version it reaches.
    public let to: String
    /// The mapping model's file; nil when the step is inferred.
    public let mapping: String?
    /// Who can run it: Core Data reads no mapping file.
    public let readers: [MigrationReader]

    init(_ hop: MigrationHop) {
      (from, to, mapping) = (hop.source.name, hop.destination.name, hop.mappingPath)
      readers = hop.writtenMapping?.isMappingFile ?? false ? [.modelctl] : MigrationReader.allCases
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
    /// What it was recorded as.
    public let state: LockFile.State
    /// What was edited since; empty where the version is gone.
    public let edits: [String]
    /// The day its support ended; absent unless it is retired.
    public let retiredOn: String?
    /// Why its support ended.
    public let reason: String?
    /// The last tag, else commit, that has the version, whose build migrates its stores.
    public let lastBuild: String?
    /// The version to which that build migrates them.
    public let lastTarget: String?
    /// A revision of git that has the version as it was recorded.
    public let revision: String?
    /// The command that brings it back.
    public let restore: String?
  }

  /// How one entity differs.
  public struct Difference: Encodable, Hashable, Sendable {
    /// The entity's name in the store.
    public let entity: String
    /// The difference in one sentence.
    public let sentence: String
    /// True when an edit was found that reproduces the store's hash, or the difference follows from another.
    public let isExplained: Bool
  }
}

extension StatusReport.Store {
  /// Takes what a store was identified as.
  ///
  /// - Parameters:
  ///   - store: the store in commands that are suggested, where the path is not its own.
  ///   - options: what the command to run next must say as the last one did, such as `--model` with its value.
  ///   - newest: the last version of the store's bundle.
  ///   - retirement: when and why the support of its version ended.
  ///   - sequences: the orders of the bundles' versions, by the bundles' paths; those that their names say otherwise.
  ///   - missing: the only configuration to consider, where the current version does not have it.
  ///   - support: the folder of large values, where it is not beside the store.
  ///   - outlook: the path of the migration, or why it is refused; nil where none is needed or possible.
  ///   - otherConfiguration: the configuration that was asked for, where the store has the entities of another one, or
  ///     all of them.
  public init(
    path: String, _ identification: StoreIdentification, of store: String? = nil, otherBundles: [String] = [],
    options: String = "",
    newest: String? = nil, retirement: LockFile.Retirement? = nil, sequences: [String: VersionSequence] = [:],
    recorded: RecordedRelease? = nil, missing: MissingConfiguration? = nil, support: MissingSupportFolder? = nil,
    outlook: Result<MigrationRoute?, any Error>? = nil, otherConfiguration: String? = nil
  ) {
    (self.path, self.store) = (path, store ?? path)
    switch outlook {
    case .success(let route)?: (steps, refusal) = (route?.hops.map(StatusReport.Step.init), nil)
    case .failure(let error)?: (steps, refusal) = (nil, MigrationErrorText.full(error))
    case nil: (steps, refusal) = (nil, nil)
    }
    (self.options, self.newest) = (options, newest)
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
      its entities are also those of configuration \(name) of the current version; if it is opened with that, say \
      --configuration \(name)
      """
    }
    let retired = retirement.map { "\(identification.version?.name ?? "its version") is retired: \($0.words)" }
    let other = otherConfiguration.map { Self.words(on: $0, identification) }
    var notes = Self.notes(on: identification)
    notes += [other, rival].compactMap { $0 } + Self.waysBack(identification, sequences)
    notes += [retired, identification.unionError.map { "\($0)" }, missing.map { "\($0)" }].compactMap { $0 }
    notes += [support.map { "\($0)" }].compactMap { $0 }
    notes += otherBundles.map { "\($0) holds the same version; name one of the two with --model" }
    self.notes = notes
  }

  /// What is to be known of a store whose version, or a part of it, comes after the current one, as far as more than
  /// names of two stems says so.
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
        \(names.0) comes after the current version \(names.1), so that this goes back; if \(names.0) \
        should be current, say so in the bundle's .xccurrentversion, or migrate with --to
        """
    }
  }

  /// Which entities a store has that is none of a configuration.
  private static func words(on name: String, _ identification: StoreIdentification) -> String {
    let version = identification.version?.name ?? ""
    guard let own = identification.configuration else {
      return "it has all entities of \(version), not those of configuration \(name) alone; leave --configuration out"
    }
    return """
      it has the entities of configuration \(own) of \(version), not those of \(name); say --configuration \
      \(ShellWord(own).text), or leave it out
      """
  }

  private static func notes(on identification: StoreIdentification) -> [String] {
    switch identification.cache {
    case .absent, .fresh: []
    case .stale: ["the store's cached model is of another version and was not used"]
    case .unreadable(let error): ["the store's cached model cannot be read: \(error)"]
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

  /// Which version it was, and what became of it.
  fileprivate var sentence: String {
    if let retiredOn, let reason {
      return "written by \(version) of \(bundle), which is retired: its support ended on \(retiredOn): \(reason)"
    }
    let origin = "written by \(version) of \(bundle) as \(state == .draft ? "recorded as a draft" : "released")"
    guard !edits.isEmpty else { return "\(origin); the version is gone" }
    let shown = edits.prefix(5).joined(separator: "; ")
    let more = edits.count > 5 ? "; and \(edits.count - 5) more" : ""
    return "\(origin); the file was edited since: \(shown)\(more)"
  }
}

extension StatusReport {
  /// A paragraph a store.
  public var text: String { stores.map(\.text).joined(separator: "\n") }
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
      lines.append("  written by a version in no bundle; the store's own cached model has its hashes")
    } else {
      lines.append("  written by a version that is not here, and it holds no model of its own")
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

  /// False for a store that no migration takes as it is: its version is not here, or there is nothing to migrate it to.
  public var canBeMigrated: Bool {
    state != .unknown && !cannotMerge && missing == nil && refusal == nil && !isOtherwise
  }

  /// What to run for a store whose version was recorded and is not here as it was.
  private func restoring(_ recorded: StatusReport.Recorded) -> [String] {
    let name = recorded.version
    if let build = recorded.lastBuild {
      let target = recorded.lastTarget.map { ", to \($0)" } ?? ""
      return [
        "  cannot be migrated here; the last build that migrates it is that of \(build)\(target)",
        "  or bring \(name) back: \(recorded.restore ?? "")", "  then: \(migrateCommand)",
      ]
    }
    guard let restore = recorded.restore, let revision = recorded.revision else {
      return [
        "  cannot be migrated as it is: no revision of git has \(name) as it was",
        bundle.flatMap(recovering)
          ?? "  take the edits back, and look again: modelctl status \(ShellWord(path: path).text)\(options)",
      ]
    }
    return [
      "  cannot be migrated as it is; \(revision) has \(name) as it was: \(restore)",
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
          recovering(in: $0) ?? "  look for a revision that has it: \(GitAdvice.history(of: $0))"
        } ?? "",
      ].filter { !$0.isEmpty }
    case (_, nil) where cannotMerge: ["  cannot be migrated: the current versions of its bundles cannot be merged"]
    case (_, nil) where modelVersion != nil:
      [
        "  its bundle names no current version that is there: choose the one to reach with --to"
          + (newest.map { ", such as: \(migrateCommand) --to \(ShellWord($0).text)" } ?? "")
      ]
    case (_, nil) where matchedBy != nil:
      [
        "  no bundle fits it, so there is nothing to migrate it to: name its own with --model PATH",
        "  its own model is enough to read it: modelctl show \(ShellWord(path: store).text); query, dump and export work too",
      ]
    case (_, nil): ["  no bundle fits it: name its own with --model PATH"]
    }
  }

  /// What `migrate` does, or why it refuses.
  private func migration(to target: String) -> [String] {
    if let refusal {
      return ["  cannot be migrated to \(target) as it is:"]
        + refusal.split(separator: "\n").flatMap { WrappedText.lines(String($0), lead: "    ", indent: "      ") }
    }
    let own = (steps ?? []).filter { $0.readers == [.modelctl] }.map { step in
      "only modelctl runs \(step.from) → \(step.to), by \(step.mapping ?? "a mapping file")"
    }
    return ["  needs migration to \(target): \(migrateCommand)"]
      + own.flatMap { WrappedText.lines($0, lead: "    ", indent: "      ") }
      + ["    rows are not looked at: with --dry-run, migrate tries it on a copy"]
  }

  /// What to run to make the version anew, nil where not every difference is explained.
  private func recovering(in bundle: String) -> String? {
    guard differences?.allSatisfy(\.isExplained) ?? false else { return nil }
    let words = "\(ShellWord(path: store).text) --model \(ShellWord(path: bundle).text)"
    return "  make it from the edits above: modelctl new-version --as-store \(words)"
  }

  private var migrateCommand: String { "modelctl migrate \(ShellWord(path: store).text)\(options)" }
}
