public import ModelComparison
public import ModelDescription
import VersionHashing

/// A change in a model since a mapping model was created from it.
///
/// Core Data finds a mapping model by the hashes of the entities it was made for. It reports nothing if they differ.
public struct MappingDrift: Hashable, Sendable {
  /// The change in the model.
  public enum Cause: Hashable, Sendable {
    /// A change that gives the entity another hash.
    case change(Change)
    /// The hashes differ, and no change explains it.
    case unexplained
  }

  /// The side of the mapping that the model is on.
  public var side: MappingSide
  /// The entity, by its name in the model as it is now if it still is there.
  public var entity: String
  /// The property, nil when the entity itself changed.
  public var property: String?
  /// True if the property is an attribute in one of the two models.
  public var isAttribute: Bool
  /// The change.
  public var cause: Cause

  /// Compares the model that a mapping was created from with the current model.
  ///
  /// - Returns: the changes; empty exactly if all hashes are equal.
  public static func between(
    _ snapshot: EntityHierarchy, and model: EntityHierarchy, side: MappingSide
  ) throws(ModelStructureError) -> [MappingDrift] {
    let old = try VersionHashes(of: snapshot).entities
    let new = try VersionHashes(of: model).entities
    guard old != new else { return [] }
    var drifts: [MappingDrift] = []
    var added: Set<String> = []
    for change in ModelStep(from: snapshot, to: model).changes {
      let (entity, property): (String, String?)
      switch change.element {
      case .entity(let name): (entity, property) = (name, nil)
      case .property(let name, let propertyName): (entity, property) = (name, propertyName)
      case .uniquenessConstraint(let name, _): (entity, property) = (name, nil)
      default: continue
      }
      if property == nil, change.kind == .added { added.insert(entity) }
      let isWhole = property == nil && (change.kind == .added || change.kind == .removed)
      guard isWhole || change.changesHash, property == nil || !added.contains(entity) else { continue }
      let isAttribute = property.map { name in
        [model, snapshot].contains { $0.allAttributes(of: entity)[name] != nil }
      }
      drifts.append(
        MappingDrift(
          side: side, entity: entity, property: property, isAttribute: isAttribute ?? false, cause: .change(change)))
    }
    let explained = Set(drifts.map(\.entity))
    for entity in Set(old.keys).union(new.keys).sorted() where old[entity] != new[entity] {
      guard !explained.contains(entity), !drifts.contains(where: { $0.renames(entity) }) else { continue }
      drifts.append(MappingDrift(side: side, entity: entity, property: nil, isAttribute: false, cause: .unexplained))
    }
    return drifts
  }

  /// True if the change renames the entity.
  private func renames(_ entity: String) -> Bool {
    if case .change(let change) = cause { change.sourceElement == .entity(entity) } else { false }
  }
}

/// The source or the destination of a mapping.
public enum MappingSide: String, Hashable, Sendable, CaseIterable {
  case source
  case destination
}
