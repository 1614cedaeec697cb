import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Carries the values for which rows have no room to the attributes that get a copy of the value; no other attribute has one
/// afterwards, as what is computed is computed from the rows.
struct ExactValueSteps {
  private(set) var steps: [PlanStep] = []
  /// The destination of the values of an attribute.
  private(set) var copies: [PropertyAddress: [PropertyAddress]] = [:]

  init(_ context: PlanningContext) throws(MigrationRefusal) {
    guard context.options.followsExactValues else { return }
    let (table, before): (SQLStatement, SQLStatement) = (
      "\(name: ExactValueTable.name)", "\(name: "temp").\(name: TemporaryName.exactValues)"
    )
    steps = ["CREATE TABLE \(before) AS SELECT * FROM \(table)", "DELETE FROM \(table)"].map(Self.step)
    for entity in context.entities {
      let columns = try AttributeColumns(of: entity, in: context)
      carry(from: entity.source, to: entity.destination, entity.association, in: context, columns.origin)
    }
    for entity in context.entities.isEmpty ? context.source.layout.entityNumbers.map(\.name) : [] {
      guard let name = context.destinationName(of: entity), let mapping = context.mapping(of: name) else { continue }
      carry(from: entity, to: name, .kept, in: context) { mapping.attribute($0).map { .attribute($0) } }
    }
    steps.append(Self.step("DROP TABLE \(before)"))
  }

  private static func step(_ sql: SQLStatement) -> PlanStep { PlanStep(sql, cause: .exactValuesFollow) }

  /// Carries the values of an entity's objects to those that are made of them.
  ///
  /// - Parameter origin: the origin of an attribute's value, by leaf path.
  private mutating func carry(
    from source: String, to destination: String, _ association: MappedEntity.Association, in context: PlanningContext,
    _ origin: (String) -> PropertyMapping.Value?
  ) {
    let known = context.source.hierarchy.storedAttributes(of: source)
    let wanted = context.destination.hierarchy.storedAttributes(of: destination)
    let paths = wanted.sorted { $0.key < $1.key }.compactMap { path, attribute -> (old: String, new: String)? in
      let type = attribute.leaf.type
      guard type == .decimal || type == .undefined, attribute.derivation == nil,
        let old = origin(path).flatMap(Self.copied), known[old]?.leaf.type == type
      else { return nil }
      return (old, path)
    }
    guard !paths.isEmpty else { return }
    for (old, new) in paths {
      copies[PropertyAddress(entity: source, property: old), default: []]
        .append(PropertyAddress(entity: destination, property: new))
    }
    let pairs = paths.map { "(\(.text($0.old)), \(.text($0.new)))" as SQLStatement }
    var (key, join): (SQLStatement, SQLStatement) = ("exact.\(name: "key")", "")
    if case .table(let table) = association {
      (key, join) = ("pair.dst", " JOIN \(name: "temp").\(name: table) AS pair ON pair.src = exact.\(name: "key")")
    }
    steps.append(
      Self.step(
        """
        INSERT INTO \(name: ExactValueTable.name) (\(.names(["key", "path", "entity", "near", "value"]))) \
        SELECT \(key), path.column2, \(.text(destination)), exact.near, exact.value \
        FROM \(name: "temp").\(name: TemporaryName.exactValues) AS exact \
        JOIN (VALUES \(pairs.joined())) AS path ON path.column1 = exact.path\(join) \
        WHERE exact.entity = \(.text(source))
        """
      ).about(context.subject(ofEntity: source).union(context.subject(ofEntity: destination))))
  }

  /// The attribute whose value is copied as it is, by leaf path; nil for a value that is computed or converted.
  private static func copied(_ value: PropertyMapping.Value) -> String? {
    switch value {
    case .attribute(let attribute):
      guard case .source(let path) = attribute.origin,
        attribute.steps.allSatisfy({ if case .convert = $0 { false } else { true } })
      else { return nil }
      return path
    case .expression(.keyPath(let keys, of: .variable("source"))): return keys.joined(separator: ".")
    case .unset, .expression, .sql, .relationship: return nil
    }
  }
}
