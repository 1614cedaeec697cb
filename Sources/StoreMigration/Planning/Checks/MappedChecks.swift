import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores

/// The checks of the source's rows before anything is written; rows are identified by their key in the source.
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
        add(entity, .abstractEntity(entity.destination, mapping: entity.mapping.name), condition)
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
      guard attribute.isMandatory else { return [] as [(AttributeDescription, String)] }
      return attribute.leaves.filter { attribute.requires($0.path.dropFirst()) }.map {
        ($0.attribute, $0.path.joined(separator: "."))
      }
    }
  }
}

/// Has SQLite check the SQL of a mapping model before anything is written.
enum SnippetChecks {
  static func check(_ context: PlanningContext) throws(MigrationRefusal) {
    var snippets: [(entity: MappedEntity, property: String, sql: String, arguments: Int)] = []
    for entity in context.entities {
      for mapping in entity.mapping.attributeMappings {
        if case .sql(let sql) = mapping.value { snippets.append((entity, mapping.name, sql, 0)) }
      }
      for (name, sql) in entity.replacedAttributes.sorted(by: { $0.key < $1.key }) {
        snippets.append((entity, name, sql, 0))
      }
      for (selector, sql) in (entity.policy?.replacement?.functions ?? [:]).sorted(by: { $0.key < $1.key }) {
        snippets.append((entity, selector, sql, selector.count { $0 == ":" }))
      }
    }
    guard !snippets.isEmpty else { return }
    var check: SQLSnippetCheck?
    for (entity, property, sql, arguments) in snippets {
      do {
        let tables = try check ?? SQLSnippetCheck(source: context.source)
        check = tables
        try tables.check(sql, entity: entity.source, argumentCount: arguments)
      } catch {
        throw .mapping(name: entity.mapping.name, .expression(property: property, ExpressionError(error)))
      }
    }
  }
}

/// Refuses replacements of policies that nothing asks for, and those that lack what is asked for.
enum ReplacementChecks {
  /// A mapping model with the model that its objects get.
  private typealias Step = (mapping: MappingModel, destination: EntityHierarchy, path: String?)

  /// Checks the replacements that a run names, over all mapping models that a store passes.
  ///
  /// One class may serve several mapping models: a function that one of them calls need not be called by the others.
  static func check(_ parts: [PathPart], _ options: MigrationOptions) throws(MigrationRefusal) {
    guard !options.policyReplacements.isEmpty else { return }
    let steps = parts.compactMap { part -> Step? in
      part.writtenMapping.map {
        (mapping: $0.model, destination: part.destination.hierarchy, path: part.mappingPath)
      }
    }
    for step in steps {
      try refuseLacking(in: step) { PolicyName.find($0, in: options.policyReplacements) }
    }
    for (className, replacement) in options.policyReplacements.sorted(by: { $0.key < $1.key }) {
      try refuseUnused(replacement, of: className, in: steps) {
        PolicyName.key(of: $0, in: options.policyReplacements) == className
      }
    }
  }

  /// Checks the replacements in a single mapping model, of which a project's may be for others.
  static func check(_ resolved: [String: ResolvedPolicy], of planner: MigrationPlanner) throws(MigrationRefusal) {
    let step: Step = (planner.mapping, planner.destination.hierarchy, nil)
    for entity in planner.mapping.entityMappings {
      guard let replacement = resolved[entity.name]?.replacement else { continue }
      try refuseLacking(entity, replacement, at: nil)
    }
    for (className, replacement) in planner.mapping.policyReplacements.sorted(by: { $0.key < $1.key })
    where !replacement.isShared {
      try refuseUnused(replacement, of: className, in: [step]) { name in
        PolicyName.find(name, in: planner.options.policyReplacements) == nil
          && planner.policies.factory(for: name) == nil
          && PolicyName.key(of: name, in: planner.mapping.policyReplacements) == className
      }
    }
  }

  private static func refuseLacking(in step: Step, replacement: (String) -> PolicyReplacement?) throws(MigrationRefusal)
  {
    for entity in step.mapping.entityMappings {
      guard let name = entity.policyClassName, let replacement = replacement(name) else { continue }
      try refuseLacking(entity, replacement, at: step.path)
    }
  }

  private static func refuseLacking(
    _ entity: EntityMapping, _ replacement: PolicyReplacement, at path: String?
  ) throws(MigrationRefusal) {
    guard let className = entity.policyClassName, entity.source != nil, entity.destination != nil else { return }
    let lacking = replacement.lacking(for: entity)
    guard !lacking.isEmpty else { return }
    throw .mapping(name: entity.name, .missingFunctions(lacking, className: className), path: path)
  }

  private static func refuseUnused(
    _ replacement: PolicyReplacement, of className: String, in steps: [Step], uses: (String) -> Bool
  ) throws(MigrationRefusal) {
    let users = steps.flatMap { step in
      step.mapping.entityMappings.filter { $0.policyClassName.map(uses) == true && $0.destination != nil }
        .map { (entity: $0, step: step) }
    }
    guard let first = users.first else { return }
    let asked = users.map { replacement.asked(for: $0.entity, in: $0.step.destination) }
    let attributes = Set(users.flatMap { $0.step.destination.allAttributes(of: $0.entity.destination ?? "").keys })
    let selectors = users.reduce(into: Set<String>()) { $0.formUnion($1.entity.policySelectors) }
    let unused =
      replacement.attributes.keys.sorted().filter { name in !asked.contains { $0.attributes[name] != nil } }
      .map { ($0, attributes) }
      + replacement.functions.keys.sorted().filter { name in !asked.contains { $0.functions[name] != nil } }
      .map { ($0, selectors) }
    guard let (name, known) = unused.first else { return }
    throw .mapping(
      name: first.entity.name,
      .unusedReplacement(name, className: className, near: NearNames.nearest(to: name, among: known.sorted())),
      path: first.step.path)
  }
}
