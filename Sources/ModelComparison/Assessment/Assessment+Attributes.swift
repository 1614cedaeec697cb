import ModelDescription

extension Assessment {
  static func added(_ attribute: AttributeDescription) -> Assessment {
    if attribute.isTransient { return .unversioned("nothing is stored") }
    if attribute.derivation != nil { return .inferable("the value is computed for existing rows") }
    if attribute.type == .composite { return .inferable("existing rows get the elements' default values, or none") }
    if let value = attribute.defaultValue {
      return .inferable("existing rows get the default value \(AspectValue.value(value))")
    }
    if attribute.isOptional { return .inferable("existing rows have no value") }
    return .dependsOnRows("the entity has no rows", "existing rows would lack a required value")
  }

  static func removed(_ attribute: AttributeDescription) -> Assessment {
    if attribute.isTransient { return .unversioned("nothing was stored") }
    return .inferable(attribute.derivation == nil ? "the values are lost" : "the derived values go")
  }

  static func moved(_ attribute: AttributeDescription) -> Assessment {
    attribute.isTransient ? .unversioned() : .inferable("the values are kept")
  }

  /// `hashDiffers` tells whether the declaring entity's hashed properties differ, which decides for a property whose
  /// name is not hashed.
  static func renamed(
    _ former: AttributeDescription,
    to attribute: AttributeDescription,
    hashDiffers: Bool
  ) -> Assessment {
    if former.isTransient || attribute.isTransient { return .unversioned() }
    let kept = Assessment.inferable("the values are kept")
    let isNameHashed = !former.isNameless || !attribute.isNameless
    return isNameHashed || hashDiffers ? kept : kept.withoutHash
  }

  static func changed(
    _ aspect: Aspect,
    from former: AttributeDescription,
    to attribute: AttributeDescription
  ) -> Assessment {
    let assessment = stored(aspect, from: former, to: attribute)
    if aspect == .transient { return assessment }
    if former.isTransient || attribute.isTransient { return .unversioned() }
    switch (former.derivation, attribute.derivation) {
    case (_?, _?):
      let isHashed = aspect == .derivation || aspect == .derivationFilter
      let isSame = HashedProperty(former) == HashedProperty(attribute)
      return isHashed && !isSame ? assessment : assessment.withoutHash
    case (nil, nil): break
    default: return aspect == .derivation ? assessment : assessment.withoutHash
    }
    switch (former.type == .composite, attribute.type == .composite) {
    case (true, true):
      let isSame = HashedProperty(former) == HashedProperty(attribute)
      return aspect == .elements && !isSame ? assessment : assessment.withoutHash
    case (false, false): return assessment
    default: return aspect == .type ? assessment : assessment.withoutHash
    }
  }

  private static func stored(
    _ aspect: Aspect,
    from former: AttributeDescription,
    to attribute: AttributeDescription
  ) -> Assessment {
    switch aspect {
    case .type: return type(from: former.type, to: attribute.type)
    case .optional: return optional(attribute)
    case .transient:
      return attribute.isTransient ? .inferable("the stored values are lost") : added(attribute)
    case .externalStorage:
      return .inferable(
        attribute.allowsExternalBinaryDataStorage
          ? "values stay in the rows until they are written again"
          : "values in files beside the store move into the rows"
      )
    case .preservedInHistory: return .inferable("no effect on existing rows")
    case .versionHashModifier:
      let isSame = HashedText(former.versionHashModifier ?? "") == HashedText(attribute.versionHashModifier ?? "")
      return isSame ? .unversioned() : .inferable("no effect on the data")
    case .derivation:
      return .inferable(
        attribute.derivation == nil ? "the derived values are kept" : "the value is computed anew for existing rows"
      )
    case .derivationFilter: return .inferable("the value is computed anew for existing rows")
    case .elements: return .inferable("elements are added, removed or converted like attributes")
    case .defaultValue: return .unversioned("existing rows keep their values")
    case .minimum, .maximum, .regularExpression:
      return .unversioned("existing rows are not checked; saving them later may fail")
    case .indexed: return .unversioned("existing stores keep their indexes")
    default: return .unversioned()
    }
  }

  private static func type(from former: AttributeType, to type: AttributeType) -> Assessment {
    let conversion = TypeConversion(from: former, to: type)
    guard conversion.isInferable else {
      return .notInferable(
        "Source and destination attribute types are incompatible",
        conversion.isCastable ? "values can be converted when asked for" : "no conversion exists"
      )
    }
    if conversion.isExact { return .inferable("the values are converted") }
    return .dependsOnRows("every value fits \(type.name)", "values are converted; those that do not fit would change")
  }

  private static func optional(_ attribute: AttributeDescription) -> Assessment {
    if attribute.isOptional { return .inferable("no effect on existing rows") }
    if let value = attribute.defaultValue {
      return .inferable("rows without a value get the default value \(AspectValue.value(value))")
    }
    return .dependsOnRows("no row lacks a value", "rows without a value would break the rule")
  }
}

extension AttributeDescription {
  /// True when neither its name nor its flags enter a hash.
  fileprivate var isNameless: Bool { derivation != nil || type == .composite }
}
