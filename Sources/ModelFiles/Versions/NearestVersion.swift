public import ModelDescription
public import VersionHashing

/// The model version that differs from a store in the fewest entities, of several the one by the fewest edits, and in what.
public struct NearestVersion: Sendable {
  /// The version.
  public let version: LoadedVersion
  /// The configuration that was compared; nil for the complete model.
  public let configuration: String?
  /// The columns of the store's tables.
  public let columns: StoreColumns
  /// The entities that differ, parents before their sub-entities, then those the version lacks.
  public let differences: [EntityDifference]

  /// Finds the nearest version and explains each difference by an edit or two, where such an edit reproduces the
  /// store's hash.
  ///
  /// - Parameter versions: the versions to choose from; of equally near ones the later wins; nil is the answer
  ///   when none has an entity in common with the store.
  public init?(to hashes: VersionHashes, among versions: [LoadedVersion], columns: StoreColumns = .none) {
    guard let found = Search(for: hashes, among: versions, columns: columns).found else { return nil }
    self = found
  }

  fileprivate init(_ candidate: Search.Candidate, columns: StoreColumns, differences: [EntityDifference]) {
    (version, configuration) = candidate
    self.columns = columns
    self.differences = differences
  }
}

extension NearestVersion {
  /// A search whose costly part, the edits of each entity, runs when somebody first asks for them.
  package struct Search: Sendable {
    fileprivate typealias Candidate = (version: LoadedVersion, configuration: String?)

    private let hashes: VersionHashes
    private let versions: [LoadedVersion]
    private let columns: StoreColumns
    /// The versions with the fewest entities that differ, the latest last.
    private let candidates: [Candidate]
    private let explained = Once<NearestVersion?>()

    package init(for hashes: VersionHashes, among versions: [LoadedVersion], columns: StoreColumns) {
      (self.hashes, self.versions, self.columns) = (hashes, versions, columns)
      var nearest: [Candidate] = []
      var least = Int.max
      for version in versions {
        for configuration in version.configurations {
          guard let candidate = version.versionHashes(ofConfiguration: configuration),
            candidate.entities.keys.contains(where: { hashes.entities[$0] != nil })
          else { continue }
          let distance = Self.distance(candidate, hashes)
          guard distance < least || (distance == least && configuration == nil) else { continue }
          if distance < least { nearest = [] }
          nearest.append((version, configuration))
          least = distance
        }
      }
      candidates = nearest.suffix(Self.explainedLimit)
    }

    /// The bundle of the nearest version.
    package var bundle: String? {
      let bundles = Set(candidates.map(\.version.bundle))
      return bundles.count == 1 ? bundles.first : found?.version.bundle
    }

    /// The nearest version.
    package var found: NearestVersion? {
      explained.value {
        candidates.reversed().map { candidate in
          let related = versions.filter { $0.bundle == candidate.version.bundle }
          return NearestVersion(
            candidate, columns: columns,
            differences: DifferenceExplainer.explain(
              hashes, against: candidate.version, configuration: candidate.configuration,
              vocabulary: EditVocabulary(of: related, storeEntities: Set(hashes.entities.keys), columns: columns)))
        }.min { $0.editCount < $1.editCount }
      }
    }

    /// Of how many equally near versions the edits are searched for.
    private static let explainedLimit = 4

    /// The number of entities that only one side has or whose hashes differ.
    private static func distance(_ first: VersionHashes, _ second: VersionHashes) -> Int {
      let names = Set(first.entities.keys).union(second.entities.keys)
      return names.count { first.entities[$0] != second.entities[$0] }
    }
  }

  private var editCount: Int { differences.reduce(0) { $0 + $1.kind.editCount } }
}

extension NearestVersion: CustomStringConvertible {
  /// The version and its differences as a sentence, such as `v7, but Order.total was still optional`.
  public var description: String {
    let place = version.name + (configuration.map { " (configuration \($0))" } ?? "")
    return "\(place), but \(differences.map(\.description).joined(separator: "; "))"
  }
}

/// The model that a version had when its hashes were taken, as far as edits of what it is now explain them.
public struct FormerModel: Sendable {
  /// The model as it was; what is not explained is as it is now.
  public let hierarchy: EntityHierarchy
  /// The entities whose hashes differ, and in what.
  public let differences: [EntityDifference]

  /// Looks for the edits.
  ///
  /// - Parameter related: versions of the same bundle, whose definitions are tried.
  public init(
    of version: LoadedVersion, with hashes: VersionHashes, related: [LoadedVersion], columns: StoreColumns = .none
  ) {
    let vocabulary = EditVocabulary(of: related, storeEntities: Set(hashes.entities.keys), columns: columns)
    (differences, hierarchy) = DifferenceExplainer.reconstruct(
      hashes, from: version, configuration: nil, vocabulary: vocabulary)
  }
}
