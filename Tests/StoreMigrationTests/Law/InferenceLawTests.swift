import Foundation
import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// The first clause of the law “one step, one answer”; each clause is a suite, which asks two or more judges about one
/// ``LawStep`` and lists what they contradict each other in.
@Suite("One step, one answer: inference")
struct InferenceLawTests {
  @Test("diff, inference, the matrix and the plan of an empty store agree about random steps")
  func random() throws {
    var tally = Tally()
    for seed in LawStep.seeds {
      let step = RandomStep(seed: seed)
      try check(try LawStep(step.source, step.destination, "seed \(seed)"), &tally, plans: true)
    }
    print("law of inference, random: \(tally)")
    #expect(tally.refused * 10 > LawStep.seeds.count && tally.inferred * 4 > LawStep.seeds.count)
  }

  @Test(
    "They agree about neighbours in the corpus, and about the first and last versions",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var tally = Tally()
    for bundle in CorpusSample.of(CorpusVersions.apps.flatMap(CorpusVersions.bundles), atMost: 20) {
      let neighbours = Array(zip(bundle, bundle.dropFirst()))
      let ends = bundle.count > 2 ? [(bundle[0], bundle[bundle.count - 1])] : []
      for (source, destination) in neighbours + ends {
        try check(LawStep(source, destination), &tally, plans: tally.steps % (CorpusSample.isWhole ? 4 : 10) == 0)
      }
    }
    print("law of inference, corpus: \(tally)")
    #expect(tally.steps > CorpusSample.least(300, sampled: 50))
  }

  private func check(_ step: LawStep, _ tally: inout Tally, plans: Bool) throws {
    tally.steps += 1
    let isSame = step.source.versionHashes == step.destination.versionHashes
    if isSame { tally.same += 1 } else if step.model.isInferred { tally.inferred += 1 } else { tally.refused += 1 }
    for contradiction in step.contradictionsOfChanges + (plans ? try step.contradictionsOfPlans() : []) {
      Issue.record("\(step.name): \(contradiction)")
    }
  }

  private struct Tally: CustomStringConvertible {
    var steps = 0
    var same = 0
    var inferred = 0
    var refused = 0

    var description: String { "\(steps) steps: \(inferred) inferred, \(refused) refused, \(same) of one version" }
  }
}

/// A step about which judges are asked.
struct LawStep {
  let name: String
  let source: LoadedVersion
  let destination: LoadedVersion
  let model: ModelStep

  /// `MODELCTL_SEEDS` sets how many seeds run, `MODELCTL_FIRST_SEED` where they begin.
  static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["MODELCTL_FIRST_SEED"].flatMap(UInt64.init) ?? 0
    return first..<(first + (environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? 150))
  }()

  init(_ source: LoadedVersion, _ destination: LoadedVersion, _ name: String? = nil) {
    self.name = name ?? "\(source.bundleName) \(source.name) → \(destination.name)"
    (self.source, self.destination) = (source, destination)
    model = ModelStep(from: source.hierarchy, to: destination.hierarchy)
  }

  init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ name: String) throws {
    let bundle = "Test.xcdatamodeld"
    self.init(
      try LoadedVersion(bundle: bundle, name: "v1", isCurrent: false, model: source),
      try LoadedVersion(bundle: bundle, name: "v2", isCurrent: true, model: destination), name)
  }

  /// What `diff` says of the changes that inference, its requirements or the hashes deny.
  var contradictionsOfChanges: [String] {
    var found: [String] = []
    let meanings = model.changes.map { ($0, model.meaning(of: $0)) }
    let inferred = (try? MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy)) != nil
    if inferred != model.isInferred {
      found.append("inference maps it: \(inferred), the step says \(model.isInferred)")
    }
    let isSame = source.versionHashes == destination.versionHashes
    if isSame != model.difference.isSameVersion { found.append("the hashes are equal: \(isSame), and diff denies it") }
    for (change, meaning) in meanings {
      let place = "\(change.element) \(change.words.sentence)"
      switch meaning.verdict {
      case .inferable, .dependsOnRows, .custom:
        if !inferred { found.append("\(place): inferable in a refused step") }
        if isSame { found.append("\(place): migrates within one version") }
      case .refused, .withheld:
        if inferred { found.append("\(place): refused in an inferred step") }
        if ![.unmapped, .noConversion, .convertible].contains(meaning.effect), !meaning.effect.isClash {
          found.append("\(place): \(meaning.effect) in a refused step")
        }
      case .noMigration:
        if change.changesHash { found.append("\(place): changes the hash, and no migration happens") }
      }
      if isSame, change.changesHash { found.append("\(place): changes a hash of one version") }
    }
    guard !isSame else { return found }
    if meanings.allSatisfy({ $0.1.verdict == .noMigration }) { found.append("no change is for the new hashes") }
    guard inferred else { return found }
    var said: Set<MappingRequirement> = []
    for case .dependsOnRows(let requirements) in meanings.map({ $0.1.verdict }) { said.formUnion(requirements) }
    for requirement in model.requirements where !said.contains(requirement) {
      found.append("\(requirement.element): no change says \(requirement.reason)")
    }
    for loss in model.losses {
      if case .narrowing = loss.kind { continue }
      let isSaid = meanings.contains { _, meaning in
        switch meaning.effect {
        case .lost(loss.kind): true
        case .losses(let losses): losses.contains(loss)
        default: false
        }
      }
      if !isSaid { found.append("\(loss.element): no change says that it is lost") }
    }
    return found
  }

  /// What the matrix and the plan of an empty store say that inference denies.
  func contradictionsOfPlans() throws -> [String] {
    var found: [String] = []
    let isSame = source.versionHashes == destination.versionHashes
    let verdict = MigrationMatrix(of: [source, destination]).verdict(from: source, to: destination)
    let expected: MigrationVerdict.Kind = isSame ? .same : model.isInferred ? .lightweight : .impossible
    if verdict?.kind != expected {
      found.append("the matrix says \(verdict?.kind.rawValue ?? "nothing"), not \(expected.rawValue)")
    }
    let folder = try TemporaryFolder()
    let path = folder.path("Store.sqlite")
    try StoreCreator(of: source.hierarchy).create(at: path, uuid: UUID(), filling: nil)
    let request = MigrationRequest(
      path: path, versions: [source, destination], destination: destination, keepsBackup: false)
    do {
      let stages = try StoreMigrator(request).plan().prepared.stages
      if stages.isEmpty != isSame { found.append("the plan has \(stages.count) stages") }
      if !isSame, !model.isInferred { found.append("there is a plan, and nothing is inferred") }
    } catch let refusal as InferenceRefusal {
      if model.refusals.first != refusal { found.append("the plan is refused: \(refusal)") }
    } catch let blocked as MigrationBlocked {
      if blocked.failures != model.refusals { found.append("the plan is refused: \(blocked.failures)") }
    } catch {
      found.append("the plan ends with \(error)")
    }
    return found
  }
}

extension DataEffect {
  fileprivate var isClash: Bool { if case .keysOfRootsClash = self { true } else { false } }
}
