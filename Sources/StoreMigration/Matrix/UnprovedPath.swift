import Foundation
import MappingModels
public import ModelFiles

/// A version whose path to a different version is not proved.
public struct UnprovedPath: Hashable, Sendable {
  /// The reason why it is not proved.
  public enum Cause: String, Hashable, Sendable, CaseIterable, Encodable {
    /// A mapping model needs policy classes that only the app has.
    case policyClasses = "policy-classes"
    /// A mapping model was made for other versions than there are now.
    case outdatedMapping = "outdated-mapping"
    /// Several mapping models say different things about one step.
    case severalMappings = "several-mappings"
    /// modelctl cannot run a mapping model.
    case refusedMapping = "refused-mapping"
    /// A mapping file leads there, and Core Data does not read it.
    case mappingFile = "mapping-file"
    /// Nothing leads over a step.
    case noPath = "no-path"
  }

  /// The name of the version.
  public let version: String
  /// The reason why it is not proved.
  public let cause: Cause
}

extension MigrationMatrix {
  /// The versions whose path to a different version is not proved by models and mapping models.
  ///
  /// - Returns: the versions in the order of the bundle, each with the first cause on its path.
  public func unproved(_ names: Set<String>, to destination: LoadedVersion, by reader: MigrationReader)
    -> [UnprovedPath]
  {
    let others = reader == .coreData ? ofCoreData : self
    return versions.filter { names.contains($0.name) && $0.name != destination.name }.compactMap { version in
      guard let verdict = verdict(from: version, to: destination) else { return nil }
      guard reader == .coreData, verdict.steps.contains(where: \.isByFile) else {
        return verdict.unprovedCause.map { UnprovedPath(version: version.name, cause: $0) }
      }
      // Core Data takes the way of Xcode's mapping models, or infers.
      guard let other = others.verdict(from: version, to: destination), other.isReachable else {
        return UnprovedPath(version: version.name, cause: .mappingFile)
      }
      return other.unprovedCause.map { UnprovedPath(version: version.name, cause: $0) }
    }
  }
}

extension MigrationVerdict {
  fileprivate var unprovedCause: UnprovedPath.Cause? {
    switch refusal?.cause {
    case .inference?: return .noPath
    case .mappingModel(let refusal)?: return UnprovedPath.Cause(refusal)
    case nil: break
    }
    guard kind != .impossible else { return .noPath }
    return steps.lazy.compactMap(\.refusal).first.map(UnprovedPath.Cause.init)
  }
}

extension UnprovedPath.Cause {
  fileprivate init(_ refusal: MigrationRefusal) {
    self =
      switch refusal {
      case .unusableMapping: .outdatedMapping
      case .severalMappings: .severalMappings
      case .mapping(_, .missingPolicy, _), .mapping(_, .missingFunctions, _): .policyClasses
      default: .refusedMapping
      }
  }
}

/// A mapping model on a step, which modelctl tries to plan for the first that asks.
///
/// Planning takes longer than all else that a matrix asks, so that only a mapping model is tried that has policies or SQL,
/// or in which something is found to be wrong.
final class MappingTrial: @unchecked Sendable {
  let path: String?
  /// True for a mapping file, which Core Data does not read.
  let isMappingFile: Bool
  var model: MappingModel? { mapping?.model }
  private let mapping: KnownMapping?
  private let lock = NSLock()
  private var result: MigrationRefusal??

  init(_ mapping: KnownMapping) { (path, isMappingFile, self.mapping) = (mapping.path, mapping.isMappingFile, mapping) }

  /// Takes several mapping models, of which none is taken.
  init(_ paths: [String], isMappingFile: Bool, _ refusal: MigrationRefusal) {
    (path, self.isMappingFile, mapping, result) = (paths.first, isMappingFile, nil, refusal)
  }

  /// The reason why there is no plan, independent of the store.
  var refusal: MigrationRefusal? {
    lock.withLock {
      if let result { return result }
      let refusal = mapping.flatMap { $0.needsTrial ? $0.planRefusal() : nil }
      result = .some(refusal)
      return refusal
    }
  }
}

extension KnownMapping {
  fileprivate var needsTrial: Bool {
    let isUnexplained = model.entityMappings.contains { mapping in
      mapping.policyClassName?.isEmpty == false
        || mapping.attributeMappings.contains { if case .sql = $0.value { true } else { false } }
    }
    return isUnexplained
      || model.findings(from: source.hierarchy, to: destination.hierarchy).contains { $0.severity == .error }
  }

  /// Plans the migration of an empty store by this mapping model.
  ///
  /// - Returns: why no store can be migrated by it, whatever it holds; nil if one can.
  public func planRefusal(_ options: MigrationOptions = MigrationOptions()) -> MigrationRefusal? {
    do {
      _ = try PathPartForecast(of: PathPart(from: source, to: destination, by: self), options)
      return nil
    } catch {
      guard case .mapping(let name, let refusal, nil) = error else { return error }
      return .mapping(name: name, refusal, path: path)
    }
  }
}
