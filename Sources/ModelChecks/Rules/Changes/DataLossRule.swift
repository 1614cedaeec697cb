import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension Rule {
  static let dataLoss = Rule(
    id: "data-loss",
    severity: .error,
    purpose: "Record every loss of data that you intend in the lock file.",
    explanation: """
      If you remove an entity or attribute, a migration deletes its rows or values from the stores of your users. Core \
      Data does not keep a backup. If you intend the loss, record its name in the lock file, so that reviewers see it. \
      `migrate --allow-data-loss` takes the same name. If you do not intend it, give a renamed element a renaming \
      identifier, or keep the data with a mapping model.
      """
  ) { history in
    history.findings(of: history.steps + history.mappedLeaps) { step in
      let losses = history.unrecordedLosses(of: step)
      guard !losses.isEmpty else { return [] }
      let renames = history.isMapped(step) ? [:] : step.likelyRenameLocations
      return zip(losses, history.fixes(for: losses, of: step)).map { loss, fix in
        var finding = RuleFinding(loss.element, "\(step.name): \(loss.sentence)", fix: fix, at: loss.location)
        finding.silencers = step.destinationLocations(ofSource: loss.element)
        // If the line belongs to a mapping model, an entry in the model is accepted too.
        if loss.mapping != nil { finding.silencers.append(step.elementLocation(of: loss.element)) }
        finding.cause = renames[loss.element]
        return finding
      }
    } + history.pathSteps.compactMap { pathFinding($0, history) }
  }

  /// The new losses on the path of a released version.
  private static func pathFinding(_ path: PathStep, _ history: BundleHistory) -> RuleFinding? {
    let losses = history.losses(of: path.step, without: path.accepted)
    let consent = LossConsent(losses.map { $0.names[0] })
    let found = losses.map { (element: $0.element, location: Optional($0.location), words: $0.sentence) }
    let (source, destination) = (path.step.source.name, path.step.destination.name)
    let carrying: Advice =
      losses.lazy.compactMap(\.mapping).first.map { file -> Advice in
        "keep the data in \(file.path)"
      }
      ?? "keep the data in a mapping model: \(run: history.mappingCommand(from: source, to: destination))"
    let recording = consent.advice(for: ["modelctl", "lock", history.lockArgument(destination)])
    let accepting: Advice =
      losses.lazy.compactMap(history.moved).first?.advice ?? "or, if you intend this, \(recording)"
    return path.finding(found, fix: "\(carrying); \(accepting)")
  }
}
