/// An attribute in code.
///
/// It is required unless you call ``optional(_:)``. Other settings depend on its type: a default and bounds must have the
/// matching Swift type, and only strings have lengths.
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

  /// The attribute as a value; the elements of a composite attribute are added when the model is made.
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

  /// Makes the value optional.
  public func optional(_ isOptional: Bool = true) -> Self { with { $0.isOptional = isOptional } }

  /// Makes the attribute transient, so that the store does not contain its value.
  public func transient() -> Self { with { $0.isTransient = true } }

  /// Derives the value in the store.
  ///
  /// - Parameter expression: the derivation expression, such as `rows.@count` or `canonical:(name)`.
  public func derived(from expression: String, where filter: String? = nil) -> Self {
    with { $0.derivation = Derivation(expression: expression, filterPredicate: filter) }
  }

  /// Keeps the value in the history of a deleted object.
  public func preservesValueInHistoryOnDeletion() -> Self { with { $0.preservesValueInHistoryOnDeletion = true } }

  /// Allows CloudKit to encrypt the value.
  public func allowsCloudEncryption() -> Self { with { $0.allowsCloudEncryption = true } }

  /// Adds an index of the older format.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Adds the attribute to the index of Spotlight.
  public func indexedBySpotlight() -> Self { with { $0.isIndexedBySpotlight = true } }

  /// Sets the renaming identifier: the name or identifier of the attribute in an earlier version.
  public func renamingIdentifier(_ identifier: String) -> Self { with { $0.renamingIdentifier = identifier } }

  /// Sets the version hash modifier, which changes only the hash.
  public func versionHashModifier(_ modifier: String) -> Self { with { $0.versionHashModifier = modifier } }

  /// Adds userInfo entries.
  public func userInfo(_ entries: [String: String]) -> Self { with { $0.userInfo = entries } }

  /// Sets whether generated code uses a scalar; nil leaves the setting out.
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
  /// Allows large values in files beside the store.
  public func allowsExternalBinaryDataStorage() -> Self { with { $0.allowsExternalBinaryDataStorage = true } }
}

extension Attribute where Kind: ValuedAttributeKind {
  /// Describes an attribute with a default value.
  ///
  /// - Parameter value: the value of new objects; nil for no value.
  public init(_ name: String, _ kind: Kind, default value: Kind.Value?) {
    self.init(name, kind)
    attribute.defaultValue = value.map { Kind.attributeValue($0) }
  }
}

extension Attribute where Kind: BoundedAttributeKind {
  /// Sets the minimum value.
  public func minimum(_ value: Kind.Value?) -> Self {
    with { $0.validation.minimum = value.map { Kind.attributeValue($0) } }
  }

  /// Sets the maximum value.
  public func maximum(_ value: Kind.Value?) -> Self {
    with { $0.validation.maximum = value.map { Kind.attributeValue($0) } }
  }
}

extension Attribute where Kind == StringKind {
  /// Sets the minimum length.
  public func minimumLength(_ length: Int) -> Self {
    with { $0.validation.minimum = .integer(Int64(clamping: length)) }
  }

  /// Sets the maximum length.
  public func maximumLength(_ length: Int) -> Self {
    with { $0.validation.maximum = .integer(Int64(clamping: length)) }
  }

  /// Sets the regular expression that values must match.
  public func regularExpression(_ expression: String) -> Self { with { $0.validation.regularExpression = expression } }
}
