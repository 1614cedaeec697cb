import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// One store on one way over mapping models.
struct MappedCorpusTrial {
  let store: CorpusStore
  let migrationPath: MigrationPath

  private var comment: Comment {
    "\(store.testDescription): \(migrationPath.parts.map { "\($0.source.name) → \($0.destination.name)" })"
  }

  func run(_ tally: inout MappedTally) throws {
    tally.stores += 1
    let stepped = CorpusStore.copy(store.url)
    let whole = CorpusStore.copy(store.url)
    var request = request(whole, to: migrationPath.parts.last?.destination ?? store.source, by: migrationPath.parts)
    for part in migrationPath.parts {
      let before = try MigratedStore(path: stepped, model: part.source.hierarchy)
      var step = self.request(stepped, to: part.destination, by: [part])
      do {
        try consent(to: &step)
        _ = try StoreMigrator(step).migrate()
      } catch let blocked as MigrationBlocked {
        tally.blocked[blocked.blockers.first?.blocker.reason ?? "losses", default: 0] += 1
        return
      }
      let after = try MigratedStore(path: stepped, model: part.destination.hierarchy)
      try check(after, part)
      request.options.allowedLosses.formUnion(step.options.allowedLosses)
      request.options.keepsFirst.formUnion(step.options.keepsFirst)
      guard let mapping = part.writtenMapping else {
        tally.inferredParts += 1
        continue
      }
      let reference = try ReferenceMigration(
        mapping.model.withoutPolicies(Replacements(mapping.model, part).attributes), from: part.source.hierarchy,
        to: part.destination.hierarchy, graph: before.graph, now: 1000)
      #expect(after.graph.plain.differences(from: reference.result.plain) == [], comment)
      tally.mappedParts += 1
      tally.objects += after.graph.rows.values.reduce(0) { $0 + $1.count }
      tally.links += after.graph.links.values.reduce(0) { $0 + $1.count }
    }
    try throughout(whole, stepped, request, &tally)
  }

  /// The complete path has the same result as its steps one by one.
  private func throughout(
    _ whole: String, _ stepped: String, _ request: MigrationRequest, _ tally: inout MappedTally
  ) throws {
    guard let last = migrationPath.parts.last?.destination else { return }
    _ = try StoreMigrator(request).migrate()
    let (once, inParts) = (
      try MigratedStore(path: whole, model: last.hierarchy), try MigratedStore(path: stepped, model: last.hierarchy)
    )
    #expect(once.graph.plain.differences(from: inParts.graph.plain) == [], comment)
    #expect(once.schema == inParts.schema, comment)
    #expect(once.metadata.uuid == inParts.metadata.uuid, comment)
    tally.throughout += 1
    for own in Corpus.files(in: "stores/\(store.repository)", where: { $0.hasSuffix(".sqlite") }) {
      let path = CorpusStore.copy(own)
      guard let reader = try? StoreReader(path: path), let metadata = try? reader.metadata() else { continue }
      reader.close()
      guard metadata.versionHashes == last.versionHashes else { continue }
      let shape = try MigratedStore(path: path, model: last.hierarchy)
      let columns = { (schema: Set<String>) in schema.filter { !$0.contains("(") } }
      #expect(columns(once.schema).symmetricDifference(columns(shape.schema)) == [], comment)
      #expect(Set(once.graph.rows.keys) == Set(shape.graph.rows.keys), comment)
      tally.shapes += 1
    }
  }

  private func check(_ after: MigratedStore, _ part: PathPart) throws {
    #expect(after.metadata.versionHashes == part.destination.versionHashes, comment)
    #expect(after.metadata.digest == part.destination.versionHashes.digest, comment)
    #expect(after.metadata.checksum == part.destination.versionHashes.checksum, comment)
  }

  private func request(_ path: String, to destination: LoadedVersion, by parts: [PathPart]) -> MigrationRequest {
    let mappings = parts.compactMap(\.writtenMapping)
    var request = MigrationRequest(
      path: path, versions: store.versions, destination: destination,
      pathFinder: MigrationPathFinder(mappings: mappings),
      now: 1000, keepsBackup: false)
    for part in parts {
      guard let mapping = part.writtenMapping else { continue }
      request.options.policyReplacements.merge(Replacements(mapping.model, part).policies) { first, _ in first }
    }
    return request
  }

  /// Allows every loss that blocks, and keeps the first of several objects.
  private func consent(to request: inout MigrationRequest) throws {
    let (prepared, _) = try StoreMigrator(request).plan()
    for stage in prepared.stages {
      request.options.allowedLosses.formUnion(stage.plan.losses.map(\.loss.element))
      for entity in stage.destination.hierarchy.model.entities {
        request.options.keepsFirst.formUnion(entity.relationships.map { "\(entity.name).\($0.name)" })
      }
    }
  }
}

/// SQL in place of what a policy does in the app: values of a type that the attribute cannot have become empty.
struct Replacements {
  private(set) var policies: [String: PolicyReplacement] = [:]
  /// The attributes that are left empty, by the name of their mapping.
  private(set) var attributes: [String: Set<String>] = [:]

  init(_ mapping: MappingModel, _ part: PathPart) {
    for entity in mapping.entityMappings {
      guard let policy = entity.policyClassName, let source = entity.source, let destination = entity.destination else {
        continue
      }
      policies[policy, default: PolicyReplacement()].attributes.merge([:]) { first, _ in first }
      let typing = ExpressionTyping(
        source: part.source.hierarchy, entity: source, role: .attribute, destination: part.destination.hierarchy,
        mapping: mapping)
      for property in entity.attributeMappings {
        guard case .expression(let expression) = property.value,
          let attribute = part.destination.hierarchy.allAttributes(of: destination)[property.name]?.property,
          (try? typing.check(expression, assignedTo: attribute)) == nil
        else { continue }
        policies[policy, default: PolicyReplacement()].attributes[property.name] = "NULL"
        attributes[entity.name, default: []].insert(property.name)
      }
    }
  }
}

extension MappingModel {
  /// The mapping as it is with attributes left empty in place of policies.
  fileprivate func withoutPolicies(_ emptied: [String: Set<String>]) -> MappingModel {
    var model = self
    for position in model.entityMappings.indices {
      let names = emptied[model.entityMappings[position].name] ?? []
      model.entityMappings[position].policyClassName = nil
      for attribute in model.entityMappings[position].attributeMappings.indices
      where names.contains(model.entityMappings[position].attributeMappings[attribute].name) {
        model.entityMappings[position].attributeMappings[attribute].value = .expression(.null)
      }
    }
    return model
  }
}
