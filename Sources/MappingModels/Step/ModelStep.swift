public import ModelComparison
public import ModelDescription

/// The step from one version to another: the one answer to what happens between them.
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
/// ### Making one
/// - ``init(from:to:options:)``
/// - ``init(from:to:by:_:)``
///
/// ### What changed
/// - ``pairing``
/// - ``changes``
/// - ``difference``
///
/// ### What it means
/// - ``outcome``
/// - ``refusals``
/// - ``isInferred``
/// - ``meaning(of:)``
/// - ``requirements``
/// - ``losses``
public struct ModelStep: Sendable {
  /// How the objects of the one version become those of the other.
  public enum Outcome: Sendable {
    /// Core Data infers a mapping.
    case inferred(MappingModel)
    /// Somebody wrote a mapping model.
    case custom(MappingModel, Origin)
    /// No mapping is inferred, for every one of these reasons; there is at least one.
    case refused([InferenceRefusal])
  }

  /// Where a custom mapping model comes from, which decides who can use it.
  public enum Origin: Hashable, Sendable {
    /// An `.xcmappingmodel` or `.cdm`, which Core Data reads.
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
  /// - Parameter options: conversions and values beyond what Core Data infers.
  public init(
    from source: EntityHierarchy, to destination: EntityHierarchy, options: InferenceOptions = InferenceOptions()
  ) {
    pairing = EntityPairing(from: source, to: destination)
    self.options = options
  }

  /// Takes a mapping model that somebody wrote for the step.
  public init(
    from source: EntityHierarchy, to destination: EntityHierarchy, by mapping: MappingModel, _ origin: Origin
  ) {
    self.init(from: source, to: destination)
    _ = answers.value { Answer(outcome: .custom(mapping, origin), mapping: mapping) }
  }

  /// Takes a mapping that was inferred for the step, or composed of those of the versions between.
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

  /// How objects get from the one version to the other.
  public var outcome: Outcome { answer.outcome }
  /// The mapping of the outcome; of a refused step the mapping as if nothing were refused, nil where there is none.
  package var mapping: MappingModel? { answer.mapping }

  /// The mapping that is inferred.
  package func inferredMapping() throws(InferenceRefusal) -> MappingModel {
    let answer = self.answer
    if let failure = answer.failure { throw failure }
    return answer.mapping ?? MappingModel(entityMappings: [], isInferred: true)
  }

  /// What changed, with hints.
  public var difference: ModelDifference { differences.value { ModelDifference(pairing) } }
  /// Every change, consequences included.
  public var changes: [Change] { difference.changes }

  /// Why no mapping is inferred; none where one is, or where somebody wrote one.
  public var refusals: [InferenceRefusal] { if case .refused(let refusals) = outcome { refusals } else { [] } }
  /// True where Core Data infers a mapping.
  public var isInferred: Bool { if case .inferred = outcome { true } else { false } }

  /// What the rows must meet; of a refused step what they must meet besides, of a custom one what its mapping model
  /// leaves to inference.
  public var requirements: [MappingRequirement] {
    foundRequirements.value { mapping?.requirements(source: source, destination: destination) ?? [] }
  }

  /// What an inferred mapping loses of the rows; none of a refused step, which loses nothing because nothing runs.
  ///
  /// What a custom mapping model loses depends on its expressions: `HopForecast` of StoreMigration finds it.
  public var losses: [DataLoss] { if case .inferred = outcome { lossesBesideRefusals } else { [] } }

  /// The same, of a refused step what would be lost if nothing were refused.
  var lossesBesideRefusals: [DataLoss] {
    foundLosses.value { mapping?.losses(source: source, destination: destination) ?? [] }
  }

  /// What one of the changes means for inference and for the rows.
  public func meaning(of change: Change) -> ChangeMeaning {
    meanings.value { ChangeMeaning.all(of: self) }[change] ?? ChangeMeaning.none
  }

  /// What one of the changes means where the others that are refused are left to a mapping model.
  package func inferredMeaning(of change: Change) -> ChangeMeaning {
    inferredMeanings.value { ChangeMeaning.all(of: self, isRestInferred: true) }[change] ?? ChangeMeaning.none
  }
}
