import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Finding {
  /// Takes an Xcode mapping model whose versions were edited since it was made: everything that differs, and what
  /// follows from it.
  ///
  /// - Parameters:
  ///   - inspection: the mapping model; it has drifted.
  ///   - location: where it begins.
  init(driftOf inspection: MappingInspection, at location: SourceLocation) {
    let edited = [
      (MappingSide.source, inspection.sourceHere), (MappingSide.destination, inspection.destinationHere),
    ].compactMap { side, version in
      inspection.drift.contains { $0.side == side } ? version?.name : nil
    }.joined(separator: " and ")
    let (severity, consequence) = Self.consequence(of: inspection)
    let shown = inspection.drift.prefix(Self.shownDrifts).map(\.sentence).joined(separator: "; ")
    let more = inspection.drift.count - Self.shownDrifts
    let rest = more > 0 ? "; and \(more) more, which modelctl mapping check lists" : ""
    self.init(
      rule: MappingRule.drift.rawValue, severity: severity, element: .model, location: location,
      message: "\(edited) was edited since this mapping model was made, so Core Data \(consequence); what differs: "
        + shown + rest,
      fix: "put the model back as it was, or make the mapping anew from the models as they are")
  }

  private static let shownDrifts = 8

  private static func consequence(of inspection: MappingInspection) -> (Severity, String) {
    guard let source = inspection.sourceHere, let destination = inspection.destinationHere else {
      return (.note, "does not use it any more")
    }
    let step = "\(source.name) → \(destination.name)"
    do {
      _ = try MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy)
    } catch {
      return (.error, "does not use it any more and cannot infer \(step) either (\(error.words.cause))")
    }
    let work = MappingWork(
      of: inspection.model, from: inspection.source.hierarchy, to: inspection.destination.hierarchy)
    let lost = work.text.map { "; unlike inference it \($0)" } ?? ""
    return (.warning, "does not use it any more and infers \(step) instead\(lost)")
  }

  /// Takes the entities of a mapping file whose hashes are others than it states, as one finding.
  ///
  /// - Parameter drifts: one finding for each entity, in the order of the file; at least one.
  init?(ofStatedHashes drifts: [Finding]) {
    guard let first = drifts.first else { return nil }
    self = first
    guard drifts.count > 1 else { return }
    element = .model
    message = drifts.map(\.message).joined(separator: "; ")
  }
}
