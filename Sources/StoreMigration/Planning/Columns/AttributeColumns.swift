import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The values of a destination row's attributes, as SQL over the source row.
struct AttributeColumns {
  private let context: PlanningContext
  private let entity: MappedEntity
  private let expressions: ExpressionCompiler
  private let mappings: [String: PropertyMapping]

  /// Takes a mapping, to be read from the tables as they are named while the plan runs or before.
  init(of entity: MappedEntity, in context: PlanningContext, isStaged: Bool = true) throws(MigrationRefusal) {
    (self.context, self.entity) = (context, entity)
    expressions = context.compiler(of: entity, isStaged: isStaged)
    var mappings: [String: PropertyMapping] = [:]
    for mapping in entity.mapping.attributeMappings {
      guard mappings.updateValue(mapping, forKey: mapping.name) == nil else {
        throw .mapping(name: entity.mapping.name, .propertyIsTaken(mapping.name))
      }
      guard mapping.value == .unset || Self.isKnown(mapping.name, of: entity.destination, in: context.destination)
      else { throw .mapping(name: entity.mapping.name, .unknownProperty(mapping.name)) }
    }
    self.mappings = mappings
  }

  private static func isKnown(_ path: String, of entity: String, in model: StoreModel) -> Bool {
    model.hierarchy.allAttributes(of: entity)[PropertyAddress.property(ofPath: path)] != nil
  }

  func values() throws(MigrationRefusal) -> [(column: String, value: SQLStatement)] {
    var values: [(column: String, value: SQLStatement)] = []
    for (column, path, attribute) in attributes {
      guard let value = try ownValue(of: attribute, at: path) else { continue }
      values.append((column, value))
    }
    return values
  }

  /// The stored attributes that are not derived, in the order of their columns.
  private var attributes: [(column: String, path: String, attribute: AttributeDescription)] {
    var attributes: [(column: String, path: String, attribute: AttributeDescription)] = []
    for column in entity.destinationTable.columns {
      guard case .attribute(let address) = column.role,
        context.destination.address(ofAttribute: address.property, in: entity.destination) == address,
        let attribute = context.destination.attribute(at: address.property, of: entity.destination),
        attribute.derivation == nil
      else { continue }
      attributes.append((column.name, address.property, attribute))
    }
    return attributes
  }

  /// The value of a path: that of its own mapping, of the composite attribute it belongs to, else its default.
  func value(of attribute: AttributeDescription, at path: String) throws(MigrationRefusal) -> SQLStatement? {
    if let converted = context.converted(path, of: entity) {
      return converted.value(writing: { "\(name: "source").\(name: $0)" })
    }
    let origin = origin(of: path)
    do {
      if case .sql(let text)? = origin { return try expressions.sql(text, for: attribute) }
      if let expression = origin?.expression { return try expressions.value(expression, for: attribute) }
      return attribute.defaultValue.map { AttributeMapping.Step.stored($0, in: attribute) }
    } catch {
      throw .mapping(name: entity.mapping.name, .expression(property: path, ExpressionError(error)))
    }
  }

  /// The same, with the bytes themselves where the file that the value names is another value's.
  private func ownValue(
    of attribute: AttributeDescription, at path: String
  ) throws(MigrationRefusal) -> SQLStatement? {
    guard let value = try value(of: attribute, at: path) else { return nil }
    guard let copying = context.fileOwners.copying(path, of: entity), let expression = origin(of: path)?.expression
    else { return value }
    do {
      guard let copy = try expressions.content(expression, for: attribute) else { return value }
      switch copying {
      case .always: return copy
      case .rows(let condition): return "CASE WHEN \(condition) THEN \(copy) ELSE \(value) END"
      }
    } catch {
      throw .mapping(name: entity.mapping.name, .expression(property: path, ExpressionError(error)))
    }
  }

  /// The values that may name a file of external data, in the order of their columns.
  var fileValues: [(path: String, expression: ValueExpression)] {
    var values: [(path: String, expression: ValueExpression)] = []
    for (_, path, attribute) in attributes where attribute.allowsExternalBinaryDataStorage {
      guard let expression = origin(of: path)?.expression,
        (try? expressions.content(expression, for: attribute)) != nil
      else { continue }
      values.append((path, expression))
    }
    return values
  }

  /// True if nothing but the default gives the value of a path.
  func isConstant(_ path: String) -> Bool {
    if case .sql? = origin(of: path) { false } else { origin(of: path)?.expression == nil }
  }

  func origin(of path: String) -> PropertyMapping.Value? {
    if let sql = entity.replacedAttributes[path] { return .sql(sql) }
    if let mapping = mappings[path] { return mapping.value }
    guard let dot = path.firstIndex(of: "."),
      case .expression(.keyPath(let keys, of: let object))? = mappings[String(path[..<dot])]?.value
    else { return nil }
    let rest = path[path.index(after: dot)...].split(separator: ".").map(String.init)
    return .expression(.keyPath(keys + rest, of: object))
  }
}

extension StoreModel {
  /// The attribute of a path, which for an element of a composite attribute is that element.
  func attribute(at path: String, of entity: String) -> AttributeDescription? {
    let keys = path.split(separator: ".").map(String.init)
    guard let name = keys.first, let declared = hierarchy.allAttributes(of: entity)[name]?.property,
      !declared.isTransient
    else { return nil }
    return keys.count == 1 ? declared : declared.leaves.first { $0.path == keys }?.attribute
  }
}
