import ModelDescription
import ModelFiles
import StoreMigration

/// A step on the path from a released version to the current version that the rules about the next version do not check.
///
/// Another state of the project makes the step differently, or the path skips versions.
struct PathStep: Sendable {
  let step: VersionStep
  /// The names of the losses and blockers that the step had before or that the lock file allows.
  let accepted: Set<String>
}

extension BundleHistory {
  /// The steps on the paths of released versions that may have new losses or blockers.
  ///
  /// A step between released versions is checked only if its mapping models or its models differ from the lock file or
  /// the base. If they do not differ, the step has the losses and blockers that it had when it was released.
  var pathSteps: [PathStep] { pathStepCache.value { findPathSteps() } }

  private func findPathSteps() -> [PathStep] {
    guard isGuarded, let current else { return [] }
    let known = Set(openSteps.map { VersionPair(source: $0.source.name, destination: $0.destination.name) })
      .union(mappedLeaps.map { VersionPair(source: $0.source.name, destination: $0.destination.name) })
    return releasedPath(to: current).filter { !known.contains($0) }.compactMap { pair in
      guard let source = version(named: pair.source), let destination = version(named: pair.destination) else {
        return nil
      }
      let isOpen = canChange(pair.destination)
      // Another rule reports the edit of a released version.
      guard isOpen || (isChanged(pair) || isInserted(pair)) && ![source, destination].contains(where: isEdited) else {
        return nil
      }
      let step = step(from: source, to: destination)
      return PathStep(step: step, accepted: accepted(pair, isOpen: isOpen))
    }
  }

  /// The steps of the paths from all released versions to the current version, each once.
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
      // Without mapping models, the path of a version on this path is the rest of this path.
      if mappings.isEmpty, path.count > verdict.steps.count { covered.formUnion(path.map(\.source.name)) }
      return path.map { VersionPair(source: $0.source.name, destination: $0.destination.name) }
        .filter { seen.insert($0).inserted }
    }
  }

  private func isEdited(_ version: LoadedVersion) -> Bool {
    releases(of: version.name).contains { $0.hashes != version.versionHashes }
  }

  /// True for a step between released versions whose mapping models or models changed.
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

  /// True for a step from a version that was later inserted before a released version, so that no store has taken it.
  private func isInserted(_ pair: VersionPair) -> Bool {
    (canChange(pair.source) || isRescued(pair.source)) && (lock?.recordsSteps ?? (base != nil))
  }

  /// The last released version before a version.
  private func lastReleased(before name: String) -> LoadedVersion? {
    versions.prefix(position(of: name) ?? 0).last { isReleased($0.name) && !canChange($0.name) }
  }

  /// The names of the accepted losses and blockers of a step: from the lock file, the base, and steps that other findings
  /// report.
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
  /// The names of all losses and blockers.
  var names: Set<String> { Set(losses.flatMap(\.names) + blockers.map(\.name)) }

  /// The same names if stores can take the step; empty if they cannot.
  var takenNames: Set<String> { path == nil ? [] : names }
}

extension PathStep {
  var newBlockers: [VersionStep.Blocker] { step.blockers.filter { !accepted.contains($0.name) } }

  /// One error for all findings of a rule on the step.
  ///
  /// - Parameter found: the elements, each with its location and a clause about it.
  /// - Returns: the error; nil if there are no findings.
  func finding(_ found: [(element: ModelElement, location: SourceLocation?, words: String)], fix: Advice)
    -> RuleFinding?
  {
    guard let first = found.first else { return nil }
    let limit = TextWidth.listed(Self.shown)
    let shown = found.prefix(limit).map(\.words).joined(separator: "; ")
    let isInModel = first.location?.file == step.destination.file.path
    let isHere = first.location != nil && (found.count == 1 || !isInModel)
    let place = isHere ? first.location : step.location(of: .model)
    let more = found.count > limit ? "; and \(found.count - limit) more" : ""
    var finding = RuleFinding(
      found.count == 1 ? first.element : .model, "\(step.name), on the path of released versions: \(shown)\(more)",
      fix: fix, at: place)
    finding.severity = .error
    return finding
  }

  private static let shown = 5
}
