import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Which of the values that a mapping model makes of a single source value keep its file of external data.
///
/// A file belongs to one value and a migration writes no files, so all others get the bytes into their rows.
struct FileOwners {
  /// Which rows get the bytes of a file.
  enum Copying {
    case always
    /// Those for which a condition on the source row holds.
    case rows(SQLStatement)
  }

  /// A value of the destination that may name a file.
  private struct Value {
    let entity: MappedEntity
    let path: String
    let isChosen: Bool
  }

  /// By the position of the mapping, then by the path of the attribute.
  private var copyings: [Int: [String: Copying]] = [:]

  /// Leaves every file to the only value that names it.
  init() {}

  /// Decides for the values of all mappings: a value of every row comes first, then those of chosen rows, then
  /// those of policies in code, which may make any number of objects.
  init(_ context: PlanningContext) {
    guard context.source.hierarchy.numberedEntities.contains(where: \.hasExternalData) else { return }
    var values: [PropertyAddress: [Value]] = [:]
    var distant: [(value: Value, file: PropertyAddress, copying: SQLStatement)] = []
    var readers: [PropertyAddress: Int] = [:]
    for entity in context.entities {
      guard let columns = try? AttributeColumns(of: entity, in: context) else { continue }
      for (path, expression) in columns.fileValues {
        var isChosen = false
        if case .conditional = expression { isChosen = true }
        let value = Value(entity: entity, path: path, isChosen: isChosen)
        if let paths = Self.ownPaths(expression, of: entity, in: context) {
          for path in paths {
            values[PropertyAddress(entity: entity.source, property: path), default: []].append(value)
            guard let file = context.source.address(ofAttribute: path, in: entity.source) else { continue }
            readers[file, default: 0] += 1
          }
        } else if let (file, copying) = Self.soleWay(expression, of: entity, in: context) {
          distant.append((value, file, copying))
          readers[file, default: 0] += 1
        } else {
          add(.always, to: value)
        }
      }
    }
    for source in values.sorted(by: { $0.key.description < $1.key.description }) { share(source.value) }
    for (value, file, copying) in distant { add(readers[file] == 1 ? .rows(copying) : .always, to: value) }
  }

  /// Which rows of a mapping get the bytes for an attribute, nil if none does.
  func copying(_ path: String, of entity: MappedEntity) -> Copying? { copyings[entity.position]?[path] }

  /// Leaves each file to the first of several values that are made of a single attribute of a source entity.
  private mutating func share(_ values: [Value]) {
    let whole = values.filter(\.entity.takesEveryRow)
    let ordered =
      whole.filter { !$0.isChosen } + whole.filter(\.isChosen)
      + values.filter { !$0.entity.takesEveryRow && !$0.entity.isCoded } + values.filter(\.entity.isCoded)
    for (position, value) in ordered.enumerated() {
      let before = ordered[..<position]
      if before.contains(where: { $0.entity.takesEveryRow || $0.entity.position == value.entity.position }) {
        add(.always, to: value)
        continue
      }
      // Policies in code make objects in any order, also several of one.
      let rivals = value.entity.isCoded ? ordered : Array(before)
      var seen: Set<Int> = []
      let conditions = rivals.filter { seen.insert($0.entity.position).inserted }.map { rival -> SQLStatement in
        let isItself: SQLStatement =
          rival.entity.position == value.entity.position ? " AND other.dst <> \(name: "pair").dst" : ""
        return """
          EXISTS (SELECT 1 FROM \(rival.entity.pairs) AS other \
          WHERE other.src = \(name: "source").\(name: "Z_PK")\(isItself))
          """
      }
      if !conditions.isEmpty { add(.rows(conditions.joined(" OR ")), to: value) }
    }
  }

  private mutating func add(_ copying: Copying, to value: Value) {
    let position = value.entity.position
    switch (copyings[position]?[value.path], copying) {
    case (.always, _): break
    case (.rows(let known), .rows(let more)): copyings[position]?[value.path] = .rows("\(known) OR \(more)")
    default: copyings[position, default: [:]][value.path] = copying
    }
  }

  /// The attributes of the source object of which an expression gives one, nil if it may give another value.
  private static func ownPaths(
    _ expression: ValueExpression, of entity: MappedEntity, in context: PlanningContext
  ) -> [String]? {
    guard let paths = expression.sourcePaths?.map({ $0.joined(separator: ".") }),
      paths.allSatisfy({ context.source.attribute(at: $0, of: entity.source) != nil })
    else { return nil }
    return paths.sorted()
  }

  /// The attribute at the end of one-to-one relationships, and what holds for source rows to which they do not lead back.
  private static func soleWay(
    _ expression: ValueExpression, of entity: MappedEntity, in context: PlanningContext
  ) -> (file: PropertyAddress, copying: SQLStatement)? {
    guard !entity.isCoded, case .keyPath(let keys, of: .variable("source")) = expression else { return nil }
    let model = context.source
    var object = entity.source
    var (there, back): ([String], [String]) = ([], [])
    for key in keys {
      guard let address = model.address(ofRelationship: key, in: object),
        let relationship = model.relationship(address), !relationship.isToMany,
        let destination = relationship.destinationEntityName,
        let inverse = model.inverse(of: address).flatMap({ model.relationship($0) }), !inverse.isToMany
      else { break }
      there.append(key)
      back.insert(inverse.name, at: 0)
      object = destination
    }
    let path = keys.dropFirst(there.count).joined(separator: ".")
    let leadsBack = ExpressionComparison(.keyPath(there + back, of: .selfObject), .equal, .selfObject)
    guard !there.isEmpty, model.attribute(at: path, of: object) != nil,
      let file = model.address(ofAttribute: path, in: object),
      let condition = try? context.compiler(of: entity).condition(.comparison(leadsBack))
    else { return nil }
    let copying: SQLStatement = "NOT \(condition)"
    return (file, copying)
  }
}

extension MappedEntity {
  /// True if every row of its source entity becomes an object.
  fileprivate var takesEveryRow: Bool { mapping.filter == nil && !isCoded }
}

extension EntityDescription {
  /// True if a value of its own attributes may be kept in a file.
  fileprivate var hasExternalData: Bool {
    attributes.contains { $0.leaves.contains { $0.attribute.allowsExternalBinaryDataStorage } }
  }
}

extension ValueExpression {
  /// The paths from the source object of whose values the expression gives one, nil if it may give another.
  fileprivate var sourcePaths: Set<[String]>? {
    switch self {
    case .null: return []
    case .keyPath(let path, of: let object) where object == .selfObject || object == .variable("source"): return [path]
    case .conditional(_, then: let value, else: let other):
      guard let first = value.sourcePaths, let second = other.sourcePaths else { return nil }
      return first.union(second)
    default: return nil
    }
  }
}
