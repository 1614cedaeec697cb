import ModelKit

/// The version that wrote a store, and that no file has any more.
struct MissingVersion {
  /// The bundle it belongs to.
  let bundle: ModelBundle
  /// The version that differs least from it.
  let version: ModelVersion
  /// The name under which the lock file of the bundle records the store's hashes, nil when it does not.
  ///
  /// Where that is the version's own name, its file has been edited since.
  let recordedName: String?
  /// The identifiers of the model that the store was written with.
  let identifiers: [String]
  /// What it was.
  let recovered: RecoveredModel

  /// Finds what a store differs in.
  ///
  /// - Throws: `StoreError`, `ModelFileError` and ``CommandError``.
  init(of store: String, _ models: ModelOptions) throws {
    try models.checkSingle()
    let catalogue = try VersionCatalogue(models)
    let reader = try StoreReader(path: store)
    defer { reader.close() }
    let metadata = try reader.metadata()
    let identification = try catalogue.identify(by: reader)
    if let version = identification.version {
      throw CommandError.versionIsHere(store: store, version: version.name)
    }
    let recorded = Self.recorded(with: metadata.versionHashes, catalogue)
    guard let nearest = recorded?.nearest ?? identification.nearest,
      let bundle = catalogue.bundles.first(where: { $0.path == nearest.version.bundle }),
      let version = bundle.version(named: nearest.version.name)
    else { throw CommandError.storeOfNoVersion(path: store) }
    guard version.form == .contents else { throw CommandError.notEditable(name: version.filePath) }
    (self.bundle, self.version, recordedName) = (bundle, version, recorded?.name)
    identifiers = metadata.identifiers
    let document = try Self.document(of: version)
    do throws(RecoveredModel.Failure) {
      recovered = try RecoveredModel(
        of: metadata, nearest: nearest, document: document,
        among: catalogue.versions.filter { $0.bundle == bundle.path }, cached: identification.model)
    } catch {
      throw CommandError.notRecoverable(store: store, reason: "\(error)")
    }
  }

  /// The version that a lock file records with these hashes, and what differs least from it.
  private static func recorded(
    with hashes: VersionHashes, _ catalogue: VersionCatalogue
  ) -> (name: String, nearest: NearestVersion)? {
    for bundle in catalogue.bundles {
      let lock = (try? LockFile.read(beside: bundle)) ?? nil
      let names = VersionOrder.sorted(lock?.entries.filter { $0.value.hashes == hashes }.map(\.key) ?? [])
      let versions = catalogue.versions.filter { $0.bundle == bundle.path }
      let edited = versions.filter { names.contains($0.name) }
      guard let first = names.first,
        let nearest = NearestVersion(to: hashes, among: edited.isEmpty ? versions : edited)
      else { continue }
      return (edited.isEmpty ? first : nearest.version.name, nearest)
    }
    return nil
  }

  private static func document(of version: ModelVersion) throws -> ContentsDocument {
    try ContentsDocument(FileBytes.read(version.filePath), path: version.filePath)
  }
}
