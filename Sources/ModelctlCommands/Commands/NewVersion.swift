import ArgumentParser
import ModelKit

/// Makes a new version of a model.
struct NewVersion: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-version",
    abstract: "Copy the current version; make the copy current.",
    usage: "modelctl new-version [<name>] [--restore <rev>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl new-version                 v7 after v6, Model 3 after Model 2
        modelctl new-version "Model 3" --model App/Model.xcdatamodeld
        modelctl new-version --restore 1.0   the current version was shipped
                                             and then edited: the edits go to
                                             the new one, it gets its bytes of
                                             tag 1.0 back

        modelctl new-version --as-store old.sqlite
                                             the version that wrote a store, and
                                             that no file has any more, under
                                             the name that the lock file has

      The copy is the same byte for byte; only what --restore finds renamed gets
      a renaming identifier. A single .xcdatamodel becomes a bundle.
      """)

  @Argument(help: "The new version's name; the next one in the bundle's pattern otherwise.")
  var name: String?

  @Flag(help: "Give everything without a renaming identifier its own name as one, for renaming by hand later.")
  var renamingIdentifiers = false

  @Option(
    name: .long,
    help: ArgumentHelp("Give the copied version back what it was in a revision of git.", valueName: "rev"))
  var restore: String?

  @Option(
    name: .customLong("as-store"),
    help: ArgumentHelp("Make the version that wrote this store, which is missing here.", valueName: "store"))
  var store: StorePath?

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    if store != nil, restore != nil { throw ValidationError("--as-store and --restore exclude each other") }
  }

  func run() throws {
    let report = try store.map { try version(of: $0.text) } ?? make(copy())
    try output.write(text: report.text, document: report)
  }

  private func make(_ version: NewModelVersion, isUnrecorded: Bool = false) throws -> NewVersionReport {
    try version.write()
    return NewVersionReport(version, isUnrecorded: isUnrecorded)
  }

  private func copy() throws -> NewModelVersion {
    let (bundle, name) = try target()
    return try NewModelVersion(
      of: bundle, named: name, addsIdentifiers: renamingIdentifiers,
      restoration: restore.map { try restoration($0, bundle) })
  }

  /// The bundle, and the name without that of the bundle where it is given as `Bundle@version`.
  private func target() throws -> (bundle: ModelBundle, name: String?) {
    try models.checkSingle()
    guard let name, name.contains("@"),
      let bundle = VersionCatalogue.bundle(qualifying: name, try models.bundles().filter(\.form.isEditable))
    else { return (try models.onlyBundle(), name) }
    return (bundle, String(name.dropFirst(bundle.name.count + 1)))
  }

  /// The version that wrote a store.
  ///
  /// One that the lock file records gets its file back; where that is the current version, the edits go to a new one.
  private func version(of store: String) throws -> NewVersionReport {
    let missing = try MissingVersion(of: store, models)
    let bundle = missing.bundle
    let isEdited = missing.recordedName == missing.version.name
    if isEdited, missing.version.name == bundle.currentVersionName {
      let renames = try ModelDifference.likelyRenames(
        from: missing.recovered.model, to: missing.version.load().model)
      return try make(
        NewModelVersion(
          of: bundle, named: name, addsIdentifiers: renamingIdentifiers,
          restoration: .init(revision: store, contents: missing.recovered.contents, former: renames)))
    }
    guard !isEdited || name != nil else {
      let restored = try RestoredVersion(missing.version, to: missing.recovered.contents, in: bundle)
      try restored.write()
      try? EditOptions.record?.keep(restored.edited, before: restored.contents, of: restored.version.filePath)
      return NewVersionReport(restored, store: store)
    }
    let made = try NewModelVersion(
      recovering: missing.recovered.contents, like: missing.version, in: bundle,
      named: name ?? missing.recordedName, orAfter: missing.identifiers)
    let lock = try LockFile.read(beside: bundle)
    return try make(made, isUnrecorded: lock.map { $0.entries[made.name] == nil } ?? false)
  }

  /// What the current version was, and what looks renamed since.
  private func restoration(_ revision: String, _ bundle: ModelBundle) throws -> NewModelVersion.Restoration {
    let version = try bundle.currentVersion()
    var (restoration, former) = try NewModelVersion.Restoration.read(revision, of: version)
    restoration.former = try ModelDifference.likelyRenames(from: former.model, to: version.load().model)
    if version.form != .contents, !renamingIdentifiers {
      for (element, identifier) in restoration.former.sorted(by: { "\($0.key)" < "\($1.key)" }) {
        Console.warn("\(element) looks renamed; without the renaming identifier “\(identifier)” its data would be lost")
      }
      restoration.former = [:]
    }
    return restoration
  }
}
