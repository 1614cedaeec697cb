import ModelKit

/// A mapping model read from a file of any form, with the two versions it is between.
struct LoadedMapping {
  /// The version it maps from.
  let source: KnownVersion
  /// The version it maps to.
  let destination: KnownVersion
  /// What it says.
  let model: CustomMappingModel
  /// What reading it had to guess or pass over.
  let notes: [String]
  private let path: String
  private let drift: [MappingDrift]
  private let places: Places

  /// Where the parts of a mapping model stand.
  private enum Places {
    case document(MappingFile)
    case xcode(XcodeMappingModel)
    case none
  }

  /// Reads a file.
  ///
  /// An Xcode mapping model carries its own models; those of the bundles here are only held against them.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - options: where the bundles are.
  /// - Throws: the error of the file, and ``CommandError/badMapping(reason:)`` when its versions are not here.
  init(_ path: String, _ options: ModelOptions) throws {
    self.path = path
    let versions = try VersionCatalogue(options).versions
    switch MappingPath.form(of: path) {
    case .xcode?:
      let file = try XcodeMappingModel(contentsOf: path)
      let compilation = try file.compilation()
      (model, places) = (compilation.mapping, .xcode(file))
      source = try KnownVersion(bundle: path, snapshot: file.source)
      destination = try KnownVersion(bundle: path, snapshot: file.destination)
      let named = KnownMapping.versions(mappedBy: file, among: versions)
      drift = try file.drift(source: named.source?.hierarchy, destination: named.destination?.hierarchy)
      let missing = [(file.source, named.source), (file.destination, named.destination)].filter { $0.1 == nil }
      notes =
        (file.notes + compilation.notes).map { "\($0)" }
        + missing.map { "\(path): no version here is \($0.0.versionPath), so drift from it is not checked" }
    case .compiled?:
      let file = try CompiledMappingModel(contentsOf: path)
      let mapping = try KnownMapping.only(at: path, among: versions)
      (model, source, destination) = (file.mapping, mapping.source, mapping.destination)
      (notes, drift, places) = (file.notes.map { "\($0)" }, [], .none)
    case .document?, nil:
      let file = try MappingFile(contentsOf: path)
      let mapping = try KnownMapping.only(at: path, among: versions)
      (model, source, destination) = (mapping.model, mapping.source, mapping.destination)
      (notes, drift, places) = ([], [], .document(file))
    }
  }

  /// Everything that is wrong or doubtful, drift first.
  ///
  /// - Parameter standIns: what stands in for policy classes besides what the mapping model itself says.
  /// - Returns: the findings.
  /// - Throws: SQLite's error when SQL cannot be asked about.
  func findings(standIns: [String: PolicyStandIn]) throws -> [Finding] {
    let problems = model.problems(from: source.hierarchy, to: destination.hierarchy) { standIns[$0] != nil }
      .filter { $0.severity != .note }
    return drift.map { Finding($0, location: location(mapping: nil, property: nil)) }
      + problems.map { problem in
        Finding(
          problem, about: element(of: problem),
          location: location(mapping: problem.mapping, property: problem.property))
      }
      + (try Finding.snippets(in: model, from: source.hierarchy) { location(mapping: $0, property: $1) })
  }

  /// The destination entity or property of a problem, else the source entity, else the whole.
  private func element(of problem: MappingProblem) -> ModelElement {
    let mapping = problem.mapping.flatMap(model.entityMapping(named:))
    guard let entity = mapping?.destination ?? mapping?.source else { return .model }
    return problem.property.map { .property(entity: entity, name: $0) } ?? .entity(entity)
  }

  private func location(mapping: String?, property: String?) -> SourceLocation {
    switch places {
    case .document(let file): file.location(ofMapping: mapping, property: property)
    case .xcode(let file): file.location(ofMapping: mapping, property: property)
    case .none: SourceLocation(file: path, line: 1, column: 1)
    }
  }
}

extension KnownVersion {
  /// The version that a mapping model carries.
  fileprivate init(bundle: String, snapshot: MappingModelSnapshot) throws {
    try self.init(bundle: bundle, name: snapshot.versionName, isCurrent: false, model: snapshot.model)
  }
}
