import AtomicStores
import Foundation
import MigrationSQL
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows

/// The rescue of a single store that is read and written completely.
///
/// A text is read repeatedly: each time, the part that its reader refuses is cut out, as little as possible.
struct DocumentRescue {
  /// The maximum number of parts to cut out while the whole text is read for each.
  private static let limit = 2_000
  /// The number of these parts after which each object is read by itself.
  private static let patience = 20

  private let rescue: StoreRescue
  private let kind: any StoreKind
  private let isInterrupted: @Sendable () -> Bool
  private var tally = RescueTally()
  private var causes: [RescueCause] = []

  init(_ rescue: StoreRescue, _ kind: any StoreKind, isInterrupted: @escaping @Sendable () -> Bool) {
    (self.rescue, self.kind, self.isInterrupted) = (rescue, kind, isInterrupted)
  }

  func run(to output: String) throws -> RescueOutcome {
    var rescue = self
    return try rescue.made(at: output)
  }

  private mutating func made(at output: String) throws -> RescueOutcome {
    if !rescue.isRehearsal { try StagedStore.checkAbsence(of: output, isSQLite: false) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: rescue.path))
    let metadata = metadata(in: bytes)
    let identification = metadata.map {
      StoreIdentification(
        of: $0, cachedModel: .absent, among: rescue.versions, mergesBundles: rescue.mergesBundles)
    }
    guard
      let version = identification?.storedVersion ?? identification?.nearest?.version ?? rescue.assumed
        ?? rescue.versions.last(where: \.isCurrent) ?? rescue.versions.last
    else { throw RescueError.noVersion(path: rescue.path) }
    if let identification, identification.version == nil {
      let nearest = identification.nearest
      causes.append(
        .unknownVersion(
          nearest: nearest?.version.name,
          difference: nearest.map { $0.differences.map(\.description).joined(separator: "; ") }))
    }
    var document = try document(in: bytes, of: version, metadata)
    document.metadata = document.metadata.rewritten(
      for: version.versionHashes, identifiers: version.hierarchy.model.versionIdentifiers)
    for removal in document.removeUnfit(of: version.hierarchy) {
      let (id, property, finding) = (removal.object, removal.property, removal.finding)
      tally.add(property == nil ? .entity : .value, lost: true, id.entity, property, "\(finding)", key: id.key)
    }
    for link in document.removeLinksToNothing(of: version.hierarchy) {
      tally.add(
        .link, lost: true, link.object.entity, link.relationship, "the linked object does not exist",
        key: link.object.key)
    }
    for object in document.objects { tally.kept[object.id.entity, default: 0] += 1 }
    return try write(document, version, to: output)
  }

  private func write(_ document: StoreDocument, _ version: LoadedVersion, to output: String) throws -> RescueOutcome {
    let folder = try TemporaryStoreFolder()
    defer { withExtendedLifetime(folder) {} }
    // Whoever writes a document locks its folder, and this folder has a lock.
    let inner = folder.url.appendingPathComponent("store")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    let place = inner.appendingPathComponent(URL(fileURLWithPath: output).lastPathComponent).path
    let conversion = StoreConversion(version)
    _ = try conversion.write(document, to: place, kind: kind, framework: document.metadata.frameworkVersion)
    let migrated = try rescue.migration?(place, version)
    let result = migrated?.version ?? version
    var outcome = RescueOutcome(
      store: rescue.path, path: rescue.isRehearsal ? nil : output, causes: causes, read: version.name,
      version: result.name, refusal: migrated?.refusal, entities: tally.entities, findings: [])
    if document.objects.isEmpty, let cause = causes.first(where: { $0.kind == "damage" }) {
      throw RescueError.nothing(path: rescue.path, cause: "\(cause)")
    }
    if let mirror = try StoreMirror.of(place, kinds: rescue.kinds, versions: [result]) {
      let reader = try mirror.reader(interruption: isInterrupted)
      defer { reader.close() }
      outcome.findings = try reader.verify(
        against: result.hierarchy, references: rescue.references(for: result),
        matching: RegularExpressions().matchesWhole)
    }
    if isInterrupted() { throw StoreError.interrupted(path: rescue.path) }
    if !rescue.isRehearsal { try StoreConversion.place(Data(contentsOf: URL(fileURLWithPath: place)), at: output) }
    return outcome
  }

  // MARK: Reading

  private mutating func metadata(in bytes: Data) -> StoreMetadata? {
    do {
      return try kind.metadata(in: bytes, path: rescue.path)
    } catch {
      if let head = DocumentText(bytes, kind)?.head, let found = try? kind.metadata(in: head, path: rescue.path) {
        return found
      }
      causes.append(.metadata(error.sentence))
      return nil
    }
  }

  /// The objects that can be read.
  private mutating func document(
    in bytes: Data, of version: LoadedVersion, _ metadata: StoreMetadata?
  ) throws -> StoreDocument {
    let first: any Error
    do {
      return try kind.document(in: bytes, of: version.hierarchy, path: rescue.path)
    } catch {
      first = error
    }
    causes.append(.damage(["\(first)"]))
    guard var text = DocumentText(bytes, kind) else {
      throw RescueError.nothing(path: rescue.path, cause: "\(first)")
    }
    let known =
      metadata ?? StoreMetadata(uuid: UUID().uuidString, versionHashes: version.versionHashes, identifiers: [])
    try text.rebuild(
      head: kind.bytes(
        of: StoreDocument(metadata: known.of(kind: kind.name), objects: []), model: version.hierarchy),
      keepsOwn: metadata != nil)
    if text.lostObjects > 0 {
      tally.add(.row, lost: true, "", "objects that are cut off or not text", key: nil, count: text.lostObjects)
    }
    func add(_ cut: DocumentText.Cut, _ finding: StoreDocumentError.Finding) {
      let isLink = if case .danglingLink = finding { true } else { false }
      tally.add(
        isLink ? .link : cut.property == nil ? .row : .value, lost: true, cut.entity, cut.property, "\(finding)",
        key: cut.key)
    }
    for count in 0..<Self.limit {
      if isInterrupted() { throw StoreError.interrupted(path: rescue.path) }
      if count == Self.patience {
        let cuts = try text.cutSingly { bytes in
          if isInterrupted() { throw StoreError.interrupted(path: rescue.path) }
          do {
            _ = try kind.document(in: bytes, of: version.hierarchy, path: rescue.path)
            return nil
          } catch let error as StoreDocumentError {
            return error
          }
        }
        for (cut, finding) in cuts { add(cut, finding) }
      }
      do {
        return try kind.document(in: text.bytes, of: version.hierarchy, path: rescue.path)
      } catch let error as StoreDocumentError {
        guard case .line(let line, let column)? = error.location, let cut = text.cut(line, column, error.finding) else {
          throw RescueError.nothing(path: rescue.path, cause: error.sentence)
        }
        add(cut, error.finding)
      }
    }
    throw RescueError.nothing(path: rescue.path, cause: "it cannot be read in more than \(Self.limit) places")
  }
}
