package import ModelDescription

/// A mapping from the objects of a single model version to the objects of a different version.
///
/// Inference creates a mapping model from two models. A file contains a custom mapping model, with rules applied to
/// everything that the file leaves out. Source: `NSMappingModel`.
public struct MappingModel: Hashable, Sendable {
  /// The entity mappings in the order they run.
  ///
  /// An inferred mapping model has one mapping for every destination entity, then one for every removed source entity.
  public var entityMappings: [EntityMapping]
  /// True if inference created the mapping model; objects keep their identity, so a store can be migrated in place.
  public var isInferred: Bool
  /// The replacements of policy classes that only an app has, by class name.
  public var policyReplacements: [String: PolicyReplacement]
  /// The names of source data the mapping states it gives up, as `Entity` or `Entity.property`.
  public var droppedData: Set<String>

  /// Creates a mapping model.
  public init(
    entityMappings: [EntityMapping],
    isInferred: Bool = false,
    policyReplacements: [String: PolicyReplacement] = [:],
    droppedData: Set<String> = []
  ) {
    (self.entityMappings, self.isInferred) = (entityMappings, isInferred)
    (self.policyReplacements, self.droppedData) = (policyReplacements, droppedData)
  }

  /// True if the mapping drops source data that has one of several names.
  public func drops(_ names: [String]) -> Bool { names.contains(where: droppedData.contains) }

  /// Returns the entity mapping of a name, which is unique in a valid model.
  public func entityMapping(named name: String) -> EntityMapping? { entityMappings.first { $0.name == name } }

  /// The first mapping that makes the objects of a destination entity.
  public func mapping(toDestination name: String) -> EntityMapping? { entityMappings.first { $0.destination == name } }

  /// The mappings that read the objects of a source entity.
  public func mappings(fromSource name: String) -> [EntityMapping] { entityMappings.filter { $0.source == name } }

  /// The renamed entities: the source name by the destination name, if exactly the objects of the source become the
  /// objects of the destination.
  package var renamedEntities: [String: String] {
    let pairs = entityMappings.compactMap { mapping -> (source: String, destination: String, isWhole: Bool)? in
      guard let source = mapping.source, let destination = mapping.destination else { return nil }
      return (source, destination, mapping.filter == nil)
    }
    let (sources, destinations) = (
      Dictionary(grouping: pairs, by: \.source), Dictionary(grouping: pairs, by: \.destination)
    )
    return pairs.reduce(into: [:]) { names, pair in
      guard pair.source != pair.destination, pair.isWhole, sources[pair.source]?.count == 1,
        destinations[pair.destination]?.count == 1
      else { return }
      names[pair.destination] = pair.source
    }
  }

  /// True if both have the same effect on every row, in the same notation or not.
  package func makesTheSame(as other: MappingModel) -> Bool { self == other || settled == other.settled }

  /// The mapping model without differences of notation.
  private var settled: MappingModel {
    func settled(_ mappings: PropertyMappings) -> PropertyMappings {
      PropertyMappings(
        mappings.compactMap { property in
          var property = property
          // A property without a mapping keeps its default.
          if property.value == .unset { return nil }
          if let expression = property.value.expression { property.value = .expression(expression) }
          property.userInfo = [:]
          return property
        }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }
    var model = self
    for (position, mapping) in entityMappings.enumerated() {
      model.entityMappings[position] = EntityMapping(
        name: mapping.name, source: mapping.source, destination: mapping.destination,
        filter: mapping.filter.flatMap { $0 == .truth(true) ? nil : $0.withoutSource },
        attributeMappings: settled(mapping.attributeMappings),
        relationshipMappings: settled(mapping.relationshipMappings), policyClassName: mapping.policyClassName)
    }
    return model
  }
}

/// The replacement of a policy class that only an app has; without any SQL the class is treated as the default.
public struct PolicyReplacement: Hashable, Sendable {
  /// The SQL for the policy's functions, by selector; `$1`, `$2` … are the arguments.
  public var functions: [String: String]
  /// The SQL for destination attributes that the policy fills, by name; `$source.key` is the value of a key path.
  public var attributes: [String: String]
  /// True for a replacement that several mapping models share, each of which uses only the part it needs.
  public var isShared: Bool

  /// Creates a replacement.
  public init(functions: [String: String] = [:], attributes: [String: String] = [:], isShared: Bool = false) {
    (self.functions, self.attributes, self.isShared) = (functions, attributes, isShared)
  }

  /// The members of both; of a member that both have, the other's.
  func merging(_ other: PolicyReplacement) -> PolicyReplacement {
    PolicyReplacement(
      functions: functions.merging(other.functions) { $1 }, attributes: attributes.merging(other.attributes) { $1 },
      isShared: isShared || other.isShared)
  }

  /// Returns the part that an entity mapping uses: the attributes of its objects, and the functions in its expressions.
  package func asked(for mapping: EntityMapping, in destination: EntityHierarchy) -> PolicyReplacement {
    let known = mapping.destination.map { Set(destination.allAttributes(of: $0).keys) } ?? []
    let selectors = mapping.policySelectors
    return PolicyReplacement(
      functions: functions.filter { selectors.contains($0.key) },
      attributes: attributes.filter { path, _ in
        known.contains(path.split(separator: ".").first.map(String.init) ?? path)
      }, isShared: isShared)
  }

  /// Returns the selectors that an entity mapping calls and this replacement does not have, sorted.
  ///
  /// A selector in the value of an attribute that the replacement fills is not called.
  package func lacking(for mapping: EntityMapping) -> [String] {
    let own = mapping.propertyMappings.filter { attributes[$0.name] == nil }
    return Set(own.compactMap(\.value.expression).flatMap(PolicyCalls.selectors))
      .union(mapping.filter.map(PolicyCalls.selectors) ?? []).filter { functions[$0] == nil }.sorted()
  }
}

extension EntityMapping {
  /// The functions of its policy that its expressions call.
  package var policySelectors: Set<String> {
    Set((propertyMappings.compactMap(\.value.expression) + [filter].compactMap { $0 }).flatMap(PolicyCalls.selectors))
  }
}

/// The name of a policy class, with or without its module.
package enum PolicyName {
  /// Returns the entry of a name, or the first entry by name that differs only by a missing module.
  package static func find<Value>(_ className: String, in entries: [String: Value]) -> Value? {
    key(of: className, in: entries).flatMap { entries[$0] }
  }

  /// The name under which ``find(_:in:)`` finds an entry.
  package static func key<Value>(of className: String, in entries: [String: Value]) -> String? {
    if entries[className] != nil { return className }
    let name = unqualified(className)
    return entries.keys.sorted().first { other in
      unqualified(other) == name && (other == name || className == name)
    }
  }

  private static func unqualified(_ className: String) -> String {
    className.split(separator: ".").last.map(String.init) ?? className
  }
}

/// The replacements of policy classes that a project configures, in addition to the replacements in mapping files.
public struct PolicyReplacements: Hashable, Sendable {
  /// The replacements for every mapping model, by class name.
  public var everywhere: [String: PolicyReplacement]
  /// The replacements for a single mapping model, by class name, by the absolute path of its file.
  public var byMapping: [String: [String: PolicyReplacement]]

  /// Creates replacements; without arguments no class is replaced.
  public init(everywhere: [String: PolicyReplacement] = [:], byMapping: [String: [String: PolicyReplacement]] = [:]) {
    (self.everywhere, self.byMapping) = (everywhere, byMapping)
  }

  package var isEmpty: Bool { everywhere.isEmpty && byMapping.isEmpty }

  package var classNames: [String] { Set(everywhere.keys).union(byMapping.values.flatMap(\.keys)).sorted() }

  /// Returns the replacement of a class for a mapping model; nil if there is no replacement.
  package func replacement(of className: String, at path: String) -> PolicyReplacement? {
    let shared = PolicyName.find(className, in: everywhere)
    let own = byMapping[path].flatMap { PolicyName.find(className, in: $0) }
    guard var found = own.map({ shared?.merging($0) ?? $0 }) ?? shared else { return nil }
    found.isShared = true
    return found
  }

  /// Returns the replacements with others, which override the replacements for every mapping model.
  package func overridden(by others: [String: PolicyReplacement]) -> PolicyReplacements {
    PolicyReplacements(everywhere: everywhere.merging(others) { $1 }, byMapping: byMapping)
  }

  /// Returns the names of classes, and of members of their replacements, that no mapping model uses, sorted.
  package func unused(among mappings: [(model: MappingModel, destination: EntityHierarchy)]) -> [String] {
    let all = [everywhere] + byMapping.values
    return classNames.flatMap { name -> [String] in
      let asked = mappings.flatMap { mapping in
        mapping.model.entityMappings.compactMap { entity -> PolicyReplacement? in
          guard let policy = entity.policyClassName, PolicyName.key(of: policy, in: [name: true]) != nil else {
            return nil
          }
          let given = all.compactMap { $0[name] }.reduce(PolicyReplacement()) { $0.merging($1) }
          return given.asked(for: entity, in: mapping.destination)
        }
      }
      guard !asked.isEmpty else { return [name] }
      let (attributes, functions) = (Set(asked.flatMap(\.attributes.keys)), Set(asked.flatMap(\.functions.keys)))
      let members = all.compactMap { $0[name] }
      return Set(members.flatMap(\.attributes.keys)).subtracting(attributes).map { "\(name).\($0)" }.sorted()
        + Set(members.flatMap(\.functions.keys)).subtracting(functions).map { "\(name)/\($0)" }.sorted()
    }
  }

  /// Returns the replacements of these policy classes in a mapping model: those in its file, then those of the project.
  package func adding(to own: [String: PolicyReplacement], classes: [String], at path: String) -> [String:
    PolicyReplacement]
  {
    classes.reduce(into: own) { all, name in
      if PolicyName.key(of: name, in: all) == nil { all[name] = replacement(of: name, at: path) }
    }
  }
}
