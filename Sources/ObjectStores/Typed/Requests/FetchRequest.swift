public import MappingModels
public import StoreRows

/// Which objects of a type are asked for, and in which order.
public struct FetchRequest<Object: StoredObject>: Hashable, Sendable {
  /// The request as tools make it, with the entity of the type.
  private var record: RecordRequest
  /// The UUIDs of the stores whose objects are named.
  private var stores: Set<String> = []

  /// Asks for all objects.
  public init() { record = RecordRequest(Object.storedEntity.name) }

  /// Asks for the objects for which a predicate holds.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, identifiers of objects among them, and a text with the key path of each
  ///     `%K`.
  /// - Throws: `RecordRequestError` with the place in the text.
  public init(where text: String?, _ arguments: any PredicateArgument...) throws(RecordRequestError) {
    try self.init(where: text, arguments: arguments)
  }

  /// The same with arguments that were gathered.
  public init(where text: String?, arguments: [any PredicateArgument]) throws(RecordRequestError) {
    record = try RecordRequest(Object.storedEntity.name, where: text, arguments: arguments)
    for case let argument as any IdentifyingArgument in arguments { stores.formUnion(argument.stores) }
  }

  /// Asks for the objects for which a condition on their properties holds.
  public init(where condition: (Object.Properties) -> ObjectCondition) {
    self.init()
    let condition = condition(Object.Properties(.object))
    record.predicate = condition.expression
    stores = condition.stores
  }

  /// What must be known to hold of an object; nil for all objects.
  public var predicate: ValueExpression? { record.predicate }

  /// What the objects are sorted by, the key coming last.
  public var sort: [ObjectSort<Object>] = [] { didSet { record.sort = sort.map(\.record) } }

  /// How many objects are given at most; nil for all.
  public var limit: Int? {
    get { record.limit }
    set { record.limit = newValue }
  }

  /// How many objects are left out at the beginning.
  public var offset: Int {
    get { record.offset }
    set { record.offset = newValue }
  }

  /// True when objects of the entities below count too, as objects of this one.
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

  /// The least first, and what has no value before all others.
  public static func ascending<Value>(
    _ property: KeyPath<Object.Properties, StoredProperty<Value>>, _ textOrder: RecordSort.TextOrder = .bytes
  ) -> ObjectSort {
    ObjectSort(path(property), isAscending: true, textOrder)
  }

  /// The greatest first, and what has no value after all others.
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

/// A condition that properties were compared in: the same tree as the text of a predicate gives.
public struct ObjectCondition: Sendable {
  /// The condition.
  public let expression: ValueExpression
  /// The UUIDs of the stores whose objects are named.
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

  /// True when one is.
  public static func || (first: ObjectCondition, second: ObjectCondition) -> ObjectCondition {
    var parts = [second.expression]
    if case .disjunction(let others) = first.expression {
      parts = others + parts
    } else {
      parts.insert(first.expression, at: 0)
    }
    return ObjectCondition(.disjunction(parts), stores: first.stores.union(second.stores))
  }

  /// True when it is not; what is unknown stays unknown.
  public static prefix func ! (condition: ObjectCondition) -> ObjectCondition {
    ObjectCondition(.negation(condition.expression), stores: condition.stores)
  }
}
