import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// What can be asked of the source's rows before anything is written; rows are named by the key they have in the source.
struct MappedChecks {
  private(set) var checks: [PlanCheck] = []
  /// The questions whose rows the options or the mapping let the plan change.
  private(set) var answered: [PlanCheck] = []
  private let context: PlanningContext

  init(_ context: PlanningContext) throws(MigrationRefusal) {
    self.context = context
    for entity in context.entities where !entity.isCoded {
      let condition = try context.condition(of: entity, isStaged: false)
      if context.destination.hierarchy.entity(named: entity.destination)?.isAbstract ?? false {
        add(
          entity, .abstractEntity(entity.destination, mapping: entity.mapping.name), condition)
      }
      try checkAttributes(of: entity, condition)
      checkConversions(of: entity, condition)
    }
  }

  private mutating func add(
    _ entity: MappedEntity, _ blocker: PlanCheck.Blocker, _ condition: SQLStatement, isAnswered: Bool = false
  ) {
    guard let table = context.source.table(ofEntity: entity.source) else { return }
    let key: SQLStatement = "\(name: "source").\(name: "Z_PK")"
    let rows: SQLStatement = "\(name: table.name) AS \(name: "source")"
    let check = PlanCheck(
      blocker: blocker, of: rows, where: condition,
      query: "SELECT \(key) FROM \(rows) WHERE \(condition) ORDER BY \(key)")
    if isAnswered { answered.append(check) } else { checks.append(check) }
  }

  private mutating func checkAttributes(of entity: MappedEntity, _ condition: SQLStatement) throws(MigrationRefusal) {
    let columns = try AttributeColumns(of: entity, in: context, isStaged: false)
    for (attribute, path) in context.destination.mandatoryAttributes(of: entity.destination) {
      if columns.isConstant(path), attribute.defaultValue != nil { continue }
      if case .expression(let expression) = columns.origin(of: path), expression.isNeverNil { continue }
      let value = try columns.value(of: attribute, at: path) ?? "NULL"
      add(
        entity,
        .valueMissing(
          entity: entity.destination, attribute: path, mapping: entity.mapping.name, source: entity.source),
        "\(condition) AND (\(value)) IS NULL")
    }
  }

  /// Asks what inference asks of the values that it converts.
  private mutating func checkConversions(of entity: MappedEntity, _ condition: SQLStatement) {
    for (path, attribute) in entity.mapping.inferredAttributes {
      guard case .column(let name)? = context.converted(path, of: entity)?.base,
        let lost = attribute.loses("\(name: "source").\(name: name)")
      else { continue }
      add(
        entity,
        .requirement(.fits(entity: entity.destination, attribute: path, conversions: attribute.conversions)),
        "\(condition) AND (\(lost))", isAnswered: context.allowsConverting(path, of: entity))
    }
  }
}

extension ValueExpression {
  /// True for what gives a value whatever the rows hold: a constant, and the number of objects.
  fileprivate var isNeverNil: Bool {
    switch self {
    case .constant: true
    case .keyPath(let keys, of: _): keys.last == "@count"
    default: false
    }
  }
}

extension StoreModel {
  /// The stored attributes of an entity that must have a value, with their paths.
  func mandatoryAttributes(of entity: String) -> [(attribute: AttributeDescription, path: String)] {
    hierarchy.allAttributes(of: entity).sorted { $0.key < $1.key }.flatMap { _, declared in
      let attribute = declared.property
      guard !attribute.isOptional, !attribute.isTransient, attribute.derivation == nil else {
        return [] as [(AttributeDescription, String)]
      }
      return attribute.leaves.filter { !$0.attribute.isOptional }.map { ($0.attribute, $0.path.joined(separator: ".")) }
    }
  }
}
