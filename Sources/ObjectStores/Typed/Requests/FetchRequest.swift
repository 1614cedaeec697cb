public import MappingModels
public import StoreRows

/// A request for objects of a type, with their order.
public struct FetchRequest<Object: StoredObject>: Hashable, Sendable {
  /// The request as tools make it, with the entity of the type.
  private var record: RecordRequest
  /// The UUIDs of the stores of the objects in the condition.
  private var stores: Set<String> = []

  /// Asks for all objects.
  public init() { record = RecordRequest(Object.storedEntity.name) }

  /// Creates a request for the objects that meet a predicate.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, including object identifiers, and a text with the key path of each `%K`.
  /// - Throws: `RecordRequestError` with the offset in the text.
  public init(where text: String?, _ arguments: any PredicateArgument...) throws(RecordRequestError) {
    try self.init(where: text, arguments: arguments)
  }

  /// The same with arguments that were gathered.
  public init(where text: String?, arguments: [any PredicateArgument]) throws(RecordRequestError) {
    record = try RecordRequest(Object.storedEntity.name, where: text, arguments: arguments)
    for case let argument as any IdentifyingArgument in arguments { stores.formUnion(argument.stores) }
  }

  /// Creates a request for the objects that meet a condition on their properties.
  public init(where condition: (Object.Properties) -> ObjectCondition) {
    self.init()
    let condition = condition(Object.Properties(.object))
    record.predicate = condition.expression
    stores = condition.stores
  }

  /// The condition for an object; nil for all objects.
  ///
  /// Objects for which it is unknown are excluded.
  public var predicate: ValueExpression? { record.predicate }

  /// The sort keys; objects with equal values are sorted by key.
  public var sort: [ObjectSort<Object>] = [] { didSet { record.sort = sort.map(\.record) } }

  /// The maximum number of objects; nil for all.
  public var limit: Int? {
    get { record.limit }
    set { record.limit = newValue }
  }

  /// How many objects are left out at the beginning.
  public var offset: Int {
    get { record.offset }
    set { record.offset = newValue }
  }

  /// True to include objects of subentities.
  public var includesSubentities: Bool {
    get { record.includesSubentities }
    set { record.includesSubentities = newValue }
  }

  /// The request for a store.
  func checked(_ identity: StoreIdentity) throws(StoredObjectError) -> RecordRequest {
    try Object.storedEntity.check(identity)
    for store in stores where store != identity.uuid {
      throw .otherStore(id: "x-coredata://\(store)", store: identity.path)
    }
    return record
  }
}

/// A key that objects are sorted by.
public struct ObjectSort<Object: StoredObject>: Hashable, Sendable {
  /// The key as untyped requests have it.
  public let record: RecordSort

  private init(_ keyPath: String, isAscending: Bool, _ textOrder: RecordSort.TextOrder) {
    record = RecordSort(keyPath, isAscending: isAscending, textOrder: textOrder)
  }

  /// Sorts in ascending order; missing values come first.
  public static func ascending<Value>(
    _ property: KeyPath<Object.Properties, StoredProperty<Value>>, _ textOrder: RecordSort.TextOrder = .bytes
  ) -> ObjectSort {
    ObjectSort(path(property), isAscending: true, textOrder)
  }

  /// Sorts in descending order; missing values come last.
  public static func descending<Value>(
    _ property: KeyPath<Object.Properties, StoredProperty<Value>>, _ textOrder: RecordSort.TextOrder = .bytes
  ) -> ObjectSort {
    ObjectSort(path(property), isAscending: false, textOrder)
  }

  /// The least first, by a key path such as `customer.fullName`.
  public static func ascending(_ keyPath: String, _ textOrder: RecordSort.TextOrder = .bytes) -> ObjectSort {
    ObjectSort(keyPath, isAscending: true, textOrder)
  }

  /// The greatest first, by a key path such as `customer.fullName`.
  public static func descending(_ keyPath: String, _ textOrder: RecordSort.TextOrder = .bytes) -> ObjectSort {
    ObjectSort(keyPath, isAscending: false, textOrder)
  }

  private static func path<Value>(_ property: KeyPath<Object.Properties, StoredProperty<Value>>) -> String {
    Object.Properties(.object)[keyPath: property].path.text
  }
}

/// A condition on properties: the same tree as from the text of a predicate.
public struct ObjectCondition: Sendable {
  /// The condition.
  public let expression: ValueExpression
  /// The UUIDs of the stores of the objects in the condition.
  let stores: Set<String>

  init(_ expression: ValueExpression, stores: Set<String> = []) {
    (self.expression, self.stores) = (expression, stores)
  }

  /// True when both are.
  public static func && (first: ObjectCondition, second: ObjectCondition) -> ObjectCondition {
    var parts = [second.expression]
    if case .conjunction(let others) = first.expression {
      parts = others + parts
    } else {
      parts.insert(first.expression, at: 0)
    }
    return ObjectCondition(.conjunction(parts), stores: first.stores.union(second.stores))
  }

  /// True if one of the conditions is true.
  public static func || (first: ObjectCondition, second: ObjectCondition) -> ObjectCondition {
    var parts = [second.expression]
    if case .disjunction(let others) = first.expression {
      parts = others + parts
    } else {
      parts.insert(first.expression, at: 0)
    }
    return ObjectCondition(.disjunction(parts), stores: first.stores.union(second.stores))
  }

  /// True if the condition is false; an unknown condition remains unknown.
  public static prefix func ! (condition: ObjectCondition) -> ObjectCondition {
    ObjectCondition(.negation(condition.expression), stores: condition.stores)
  }
}
