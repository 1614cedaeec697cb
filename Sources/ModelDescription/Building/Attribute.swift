/// An attribute in code.
///
/// It is required unless ``optional(_:)`` says otherwise. What may be said beyond that depends on its type: a default
/// and bounds must have the Swift type that fits, and only strings have lengths.
public struct Attribute<Kind: AttributeKind>: EntityComponent, CompositeComponent {
  var attribute: AttributeDescription
  private var scalar: Scalar = .byType
  private var isSyncable: Bool?

  private enum Scalar {
    case byType
    case said(Bool?)
  }

  /// Describes an attribute.
  public init(_ name: String, _ kind: Kind) {
    attribute = AttributeDescription(name: name, type: .undefined)
    kind.describe(&attribute)
  }

  /// The attribute as a value; a composite's elements are looked up when the model is made.
  public func attributeDescription(scalarValues: ScalarValues) -> AttributeDescription {
    var attribute = attribute
    switch scalar {
    case .byType: attribute.usesScalarValueType = scalarValues.flag(for: attribute.type)
    case .said(let flag): attribute.usesScalarValueType = flag
    }
    attribute.isSyncable = isSyncable ?? false
    return attribute
  }

  /// Adds the attribute to an entity.
  public func add(to draft: inout EntityDraft) {
    var attribute = attributeDescription(scalarValues: draft.scalarValues)
    attribute.isSyncable = isSyncable ?? draft.propertiesAreSyncable
    draft.entity.attributes.append(attribute)
  }

  func with(_ change: (inout AttributeDescription) -> Void) -> Self {
    var copy = self
    change(&copy.attribute)
    return copy
  }

  /// Lets the value be absent.
  public func optional(_ isOptional: Bool = true) -> Self { with { $0.isOptional = isOptional } }

  /// Leaves the value out of the store.
  public func transient() -> Self { with { $0.isTransient = true } }

  /// Has the value computed by the store.
  ///
  /// - Parameter expression: what it is computed from, such as `rows.@count` or `canonical:(name)`.
  public func derived(from expression: String, where filter: String? = nil) -> Self {
    with { $0.derivation = Derivation(expression: expression, filterPredicate: filter) }
  }

  /// Keeps the value in the history of a deleted object.
  public func preservesValueInHistoryOnDeletion() -> Self { with { $0.preservesValueInHistoryOnDeletion = true } }

  /// Lets CloudKit keep the value encrypted.
  public func allowsCloudEncryption() -> Self { with { $0.allowsCloudEncryption = true } }

  /// Gives it an index of the older form.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Has Spotlight index it.
  public func indexedBySpotlight() -> Self { with { $0.isIndexedBySpotlight = true } }

  /// Pairs it with the attribute that had this name, or this identifier, in another version.
  public func renamingIdentifier(_ identifier: String) -> Self { with { $0.renamingIdentifier = identifier } }

  /// Changes its hash and nothing else.
  public func versionHashModifier(_ modifier: String) -> Self { with { $0.versionHashModifier = modifier } }

  /// Gives it entries of the developer's own.
  public func userInfo(_ entries: [String: String]) -> Self { with { $0.userInfo = entries } }

  /// Says whether generated code uses a scalar; with nil nothing is said.
  public func usesScalarValueType(_ usesScalar: Bool?) -> Self {
    var copy = self
    copy.scalar = .said(usesScalar)
    return copy
  }

  /// Sets the obsolete sync flag of the editor.
  public func syncable(_ isSyncable: Bool = true) -> Self {
    var copy = self
    copy.isSyncable = isSyncable
    return copy
  }
}

extension Attribute where Kind: ExternallyStorableAttributeKind {
  /// Lets large values be kept in files beside the store.
  public func allowsExternalBinaryDataStorage() -> Self { with { $0.allowsExternalBinaryDataStorage = true } }
}

extension Attribute where Kind: ValuedAttributeKind {
  /// Describes an attribute that new objects have a value of.
  ///
  /// - Parameter value: the value of new objects, or nil for none.
  public init(_ name: String, _ kind: Kind, default value: Kind.Value?) {
    self.init(name, kind)
    attribute.defaultValue = value.map { Kind.attributeValue($0) }
  }
}

extension Attribute where Kind: BoundedAttributeKind {
  /// Lets nothing less be saved.
  public func minimum(_ value: Kind.Value?) -> Self {
    with { $0.validation.minimum = value.map { Kind.attributeValue($0) } }
  }

  /// Lets nothing greater be saved.
  public func maximum(_ value: Kind.Value?) -> Self {
    with { $0.validation.maximum = value.map { Kind.attributeValue($0) } }
  }
}

extension Attribute where Kind == StringKind {
  /// Lets no text of fewer characters be saved.
  public func minimumLength(_ length: Int) -> Self {
    with { $0.validation.minimum = .integer(Int64(clamping: length)) }
  }

  /// Lets no text of more characters be saved.
  public func maximumLength(_ length: Int) -> Self {
    with { $0.validation.maximum = .integer(Int64(clamping: length)) }
  }

  /// Lets only texts be saved that match an expression.
  public func regularExpression(_ expression: String) -> Self { with { $0.validation.regularExpression = expression } }
}
