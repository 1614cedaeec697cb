import ModelDescription
import ModelFiles
import StoreMigration

/// A step on the path from a released version to the current one that the rules about the next version do not look at by
/// themselves: another state of the project has it otherwise, or a path passes over versions.
struct PathStep: Sendable {
  let step: VersionStep
  /// The losses and blockers that were there before or are recorded as meant, by their names.
  let accepted: Set<String>
}

extension BundleHistory {
  /// The steps on the paths of released versions on which something may be new.
  ///
  /// A step between released versions is looked into where its mapping models or its models are not what the lock file or
  /// the base says; else it asks and gives up what it did when it was released.
  var pathSteps: [PathStep] { pathStepMemory.value { findPathSteps() } }

  private func findPathSteps() -> [PathStep] {
    guard isGuarded, let current else { return [] }
    let known = Set(openSteps.map { VersionPair(source: $0.source.name, destination: $0.destination.name) })
      .union(mappedLeaps.map { VersionPair(source: $0.source.name, destination: $0.destination.name) })
    return releasedPath(to: current).filter { !known.contains($0) }.compactMap { pair in
      guard let source = version(named: pair.source), let destination = version(named: pair.destination) else {
        return nil
      }
      let isOpen = canChange(pair.destination)
      // What follows from the edit of a released version is reported as that.
      guard isOpen || (isChanged(pair) || isInserted(pair)) && ![source, destination].contains(where: isEdited) else {
        return nil
      }
      let step = step(from: source, to: destination)
      return PathStep(step: step, accepted: accepted(pair, isOpen: isOpen))
    }
  }

  /// The steps of the paths from all released versions to the current one, each once.
  private func releasedPath(to current: LoadedVersion) -> [VersionPair] {
    let names = Set(released.map(\.name))
    let sources = versions.filter { names.contains($0.name) && isOlder($0.name, than: current.name) }
    var seen: Set<VersionPair> = []
    var covered: Set<String> = []
    return sources.flatMap { source -> [VersionPair] in
      guard !covered.contains(source.name),
        let verdict = matrix.verdict(from: source, to: current)
      else { return [] }
      let path = matrix.path(of: verdict)
      // Without mapping models the path of a version that is passed is the rest of this one.
      if mappings.isEmpty, path.count > verdict.steps.count { covered.formUnion(path.map(\.source.name)) }
      return path.map { VersionPair(source: $0.source.name, destination: $0.destination.name) }
        .filter { seen.insert($0).inserted }
    }
  }

  private func isEdited(_ version: LoadedVersion) -> Bool {
    releases(of: version.name).contains { $0.hashes != version.versionHashes }
  }

  /// True for a step between released versions that is not as it was: other mapping models, or other models.
  private func isChanged(_ pair: VersionPair) -> Bool {
    let now = mappingDigests[pair] ?? []
    if let lock, lock.recordsSteps, let entry = lock.entries[pair.destination], entry.state == .released {
      if now != Set(entry.mappings[pair.source]?.values ?? [:].values) { return true }
    }
    guard let base else { return false }
    let before = base.digests[pair] ?? []
    return before != now
      || [pair.source, pair.destination].contains { name in
        guard let released = base.version(named: name) else { return false }
        return released.hierarchy.model != version(named: name)?.hierarchy.model
      }
  }

  /// True for a step from a version that came in front of a released one later, so that nobody has taken it.
  private func isInserted(_ pair: VersionPair) -> Bool {
    (canChange(pair.source) || isRescued(pair.source)) && (lock?.recordsSteps ?? (base != nil))
  }

  /// The last version before another that users have.
  private func lastReleased(before name: String) -> LoadedVersion? {
    versions.prefix(position(of: name) ?? 0).last { isReleased($0.name) && !canChange($0.name) }
  }

  /// What may be lost and may block on a step, by the lock file, by the base, and by the steps that are reported anyway.
  private func accepted(_ pair: VersionPair, isOpen: Bool) -> Set<String> {
    let start = position(of: pair.source) ?? 0
    let end = position(of: pair.destination) ?? start
    var names: Set<String> = []
    for version in versions[min(start + 1, end)...end] {
      let entry = lock?.entries[version.name]
      names.formUnion(entry?.allowedLosses ?? [])
      names.formUnion(entry?.mayBlock ?? [])
    }
    if let earlier = base?.step(pair) { names.formUnion(earlier.takenNames) }
    if !isOpen, isInserted(pair), let last = lastReleased(before: pair.source),
      let destination = version(named: pair.destination)
    {
      names.formUnion(step(from: last, to: destination).names)
    }
    guard isOpen else { return names }
    for step in steps where step.destination.name == pair.destination { names.formUnion(step.names) }
    if let last = predecessor(of: pair.destination), let source = version(named: pair.source), last.name != source.name
    {
      names.formUnion(step(from: source, to: last).takenNames)
    }
    return names
  }
}

extension VersionStep {
  /// The names of all that goes and of all that may block.
  var names: Set<String> { Set(losses.flatMap(\.names) + blockers.map(\.name)) }

  /// The same where stores can take the step; none where nothing leads over it.
  var takenNames: Set<String> { route == nil ? [] : names }
}

extension PathStep {
  var newBlockers: [VersionStep.Blocker] { step.blockers.filter { !accepted.contains($0.name) } }

  /// One error for all that a rule finds on the step.
  ///
  /// - Parameter found: the elements with their places and what is wrong with each, in a clause.
  /// - Returns: the error; nil when nothing was found.
  func finding(_ found: [(element: ModelElement, location: SourceLocation?, words: String)], fix: Advice)
    -> RuleFinding?
  {
    guard let first = found.first else { return nil }
    let shown = found.prefix(Self.shown).map(\.words).joined(separator: "; ")
    let isInModel = first.location?.file == step.destination.file.path
    let isHere = first.location != nil && (found.count == 1 || !isInModel)
    let place = isHere ? first.location : step.location(of: .model)
    let more = found.count > Self.shown ? "; and \(found.count - Self.shown) more" : ""
    var finding = RuleFinding(
      found.count == 1 ? first.element : .model, "\(step.name), on the path of released versions: \(shown)\(more)",
      fix: fix, at: place)
    finding.severity = .error
    return finding
  }

  private static let shown = 5
}
