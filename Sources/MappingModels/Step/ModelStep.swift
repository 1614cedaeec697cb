public import ModelComparison
public import ModelDescription

/// The step from a single version to another: its changes, its mapping and its effect on the rows.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Orders.xcdatamodeld")
/// let (old, new) = (try bundle.versions[0].load().model, try bundle.versions[1].load().model)
/// let step = ModelStep(from: try EntityHierarchy(old), to: try EntityHierarchy(new))
/// for change in step.changes { print(change.element, step.meaning(of: change).effect) }
/// ```
///
/// ## Topics
///
/// ### Creating a step
/// - ``init(from:to:options:)``
/// - ``init(from:to:by:_:)``
///
/// ### Changes
/// - ``pairing``
/// - ``changes``
/// - ``difference``
///
/// ### Meaning
/// - ``outcome``
/// - ``refusals``
/// - ``isInferred``
/// - ``meaning(of:)``
/// - ``requirements``
/// - ``losses``
public struct ModelStep: Sendable {
  /// The mapping of a step, or the reasons that there is none.
  public enum Outcome: Sendable {
    /// Core Data infers a mapping.
    case inferred(MappingModel)
    /// A custom mapping model.
    case custom(MappingModel, Origin)
    /// No mapping is inferred, for these reasons; there is at least one reason.
    case refused([InferenceRefusal])
  }

  /// The origin of a custom mapping model, which decides who can use it.
  public enum Origin: Hashable, Sendable {
    /// An `.xcmappingmodel` or `.cdm` file, which Core Data reads.
    case compiled
    /// A mapping file, which only modelctl reads.
    case file
    /// The code of a program.
    case code
  }

  /// Which entities and properties continue which.
  public let pairing: EntityPairing
  private let options: InferenceOptions
  private let answers = Once<Answer>()
  private let differences = Once<ModelDifference>()
  private let foundRequirements = Once<[MappingRequirement]>()
  private let foundLosses = Once<[DataLoss]>()
  private let meanings = Once<[Change: ChangeMeaning]>()
  private let inferredMeanings = Once<[Change: ChangeMeaning]>()

  /// Infers the step.
  ///
  /// - Parameter options: conversions and values beyond those that Core Data infers.
  public init(
    from source: EntityHierarchy, to destination: EntityHierarchy, options: InferenceOptions = InferenceOptions()
  ) {
    pairing = EntityPairing(from: source, to: destination)
    self.options = options
  }

  /// Creates a step with a custom mapping model.
  public init(
    from source: EntityHierarchy, to destination: EntityHierarchy, by mapping: MappingModel, _ origin: Origin
  ) {
    self.init(from: source, to: destination)
    _ = answers.value { Answer(outcome: .custom(mapping, origin), mapping: mapping) }
  }

  /// Creates a step with a mapping that was inferred, or composed of the mappings of intermediate versions.
  package init(from source: EntityHierarchy, to destination: EntityHierarchy, inferring mapping: MappingModel) {
    self.init(from: source, to: destination)
    _ = answers.value { Answer(outcome: .inferred(mapping), mapping: mapping) }
  }

  /// The version that the rows have.
  public var source: EntityHierarchy { pairing.source }
  /// The version that they get.
  public var destination: EntityHierarchy { pairing.destination }

  private struct Answer {
    let outcome: Outcome
    let mapping: MappingModel?
    var failure: InferenceRefusal?
  }

  private var answer: Answer {
    answers.value {
      do throws(InferenceRefusal) {
        let inferred = try MappingInference(pairing, options: options).mappingModel()
        return Answer(outcome: .inferred(inferred), mapping: inferred)
      } catch {
        let collector = InferenceRefusalCollector()
        let mapping = try? MappingInference(pairing, options: options, collector: collector).mappingModel()
        let refusals = collector.failures.isEmpty ? [error] : collector.failures
        return Answer(outcome: .refused(refusals), mapping: mapping, failure: error)
      }
    }
  }

  /// The mapping of the step, or its refusals.
  public var outcome: Outcome { answer.outcome }
  /// The mapping of the outcome; the mapping without the refused parts if the step is refused, or nil.
  package var mapping: MappingModel? { answer.mapping }

  /// The mapping that is inferred.
  package func inferredMapping() throws(InferenceRefusal) -> MappingModel {
    let answer = self.answer
    if let failure = answer.failure { throw failure }
    return answer.mapping ?? MappingModel(entityMappings: [], isInferred: true)
  }

  /// The difference, with hints.
  public var difference: ModelDifference { differences.value { ModelDifference(pairing) } }
  /// Every change, consequences included.
  public var changes: [Change] { difference.changes }

  /// The reasons that no mapping is inferred; empty if a mapping is inferred or custom.
  public var refusals: [InferenceRefusal] { if case .refused(let refusals) = outcome { refusals } else { [] } }
  /// True if Core Data infers a mapping.
  public var isInferred: Bool { if case .inferred = outcome { true } else { false } }

  /// The requirements for the rows.
  ///
  /// A refused step has its other requirements. A custom step has the requirements of the parts that its mapping model
  /// leaves to inference.
  public var requirements: [MappingRequirement] {
    foundRequirements.value { mapping?.requirements(source: source, destination: destination) ?? [] }
  }

  /// The losses of an inferred mapping; empty for a refused step, which does not run.
  ///
  /// The losses of a custom mapping model depend on its expressions: `PathPartForecast` of StoreMigration finds them.
  public var losses: [DataLoss] { if case .inferred = outcome { lossesBesideRefusals } else { [] } }

  /// The losses, also of a refused step as if nothing were refused.
  var lossesBesideRefusals: [DataLoss] {
    foundLosses.value { mapping?.losses(source: source, destination: destination) ?? [] }
  }

  /// Returns the meaning of one of the changes for inference and for the rows.
  public func meaning(of change: Change) -> ChangeMeaning {
    meanings.value { ChangeMeaning.all(of: self) }[change] ?? ChangeMeaning.none
  }

  /// Returns the meaning of one of the changes if a mapping model replaces the refused changes.
  package func inferredMeaning(of change: Change) -> ChangeMeaning {
    inferredMeanings.value { ChangeMeaning.all(of: self, isRestInferred: true) }[change] ?? ChangeMeaning.none
  }
}
