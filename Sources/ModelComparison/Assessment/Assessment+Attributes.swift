import ModelDescription

extension Assessment {
  static func added(_ attribute: AttributeDescription) -> Assessment {
    if attribute.isTransient { return .unversioned(.nothingIsStored) }
    if attribute.derivation != nil { return .inferable(.valueComputed) }
    if attribute.type == .composite { return .inferable(.defaultsOfElements) }
    if let value = attribute.defaultValue {
      return .inferable(.defaultForExistingRows(value))
    }
    if attribute.isOptional { return .inferable(.noValueInExistingRows) }
    return .dependsOnRows(.entityHasNoRows, .requiredValueMissing)
  }

  static func removed(_ attribute: AttributeDescription) -> Assessment {
    if attribute.isTransient { return .unversioned(.nothingWasStored) }
    return .inferable(attribute.derivation == nil ? .valuesLost : .derivedValuesGo)
  }

  static func moved(_ attribute: AttributeDescription) -> Assessment {
    attribute.isTransient ? .unversioned() : .inferable(.valuesKept)
  }

  /// `hashDiffers` tells whether the declaring entity's hashed properties differ, which decides for a property whose
  /// name is not hashed.
  static func renamed(
    _ source: AttributeDescription,
    to attribute: AttributeDescription,
    hashDiffers: Bool
  ) -> Assessment {
    if source.isTransient || attribute.isTransient { return .unversioned() }
    let kept = Assessment.inferable(.valuesKept)
    let isNameHashed = !source.isNameless || !attribute.isNameless
    return isNameHashed || hashDiffers ? kept : kept.withoutHash
  }

  static func changed(
    _ aspect: Aspect,
    from source: AttributeDescription,
    to attribute: AttributeDescription
  ) -> Assessment {
    let assessment = stored(aspect, from: source, to: attribute)
    if aspect == .transient { return assessment }
    if source.isTransient || attribute.isTransient { return .unversioned() }
    switch (source.derivation, attribute.derivation) {
    case (_?, _?):
      let isHashed = aspect == .derivation || aspect == .derivationFilter
      let isSame = HashedProperty(source) == HashedProperty(attribute)
      return isHashed && !isSame ? assessment : assessment.withoutHash
    case (nil, nil): break
    default: return aspect == .derivation ? assessment : assessment.withoutHash
    }
    switch (source.type == .composite, attribute.type == .composite) {
    case (true, true):
      let isSame = HashedProperty(source) == HashedProperty(attribute)
      return aspect == .elements && !isSame ? assessment : assessment.withoutHash
    case (false, false): return assessment
    default: return aspect == .type ? assessment : assessment.withoutHash
    }
  }

  private static func stored(
    _ aspect: Aspect,
    from source: AttributeDescription,
    to attribute: AttributeDescription
  ) -> Assessment {
    switch aspect {
    case .type: return type(from: source.type, to: attribute.type)
    case .optional: return optional(attribute)
    case .transient:
      return attribute.isTransient ? .inferable(.storedValuesLost) : added(attribute)
    case .externalStorage:
      return .inferable(
        attribute.allowsExternalBinaryDataStorage
          ? .valuesStayInRows
          : .valuesMoveIntoRows
      )
    case .preservedInHistory: return .inferable(.noneOnExistingRows)
    case .versionHashModifier:
      let isSame = HashedText(source.versionHashModifier ?? "") == HashedText(attribute.versionHashModifier ?? "")
      return isSame ? .unversioned() : .inferable(.none)
    case .derivation:
      return .inferable(
        attribute.derivation == nil ? .derivedValuesKept : .valueComputedAnew
      )
    case .derivationFilter: return .inferable(.valueComputedAnew)
    case .elements: return .inferable(.elementsLikeAttributes)
    case .defaultValue: return .unversioned(.existingValuesStay)
    case .minimum, .maximum, .regularExpression:
      return .unversioned(.existingRowsUncheckedUntilSaved)
    case .indexed: return .unversioned(.indexesStay)
    default: return .unversioned()
    }
  }

  private static func type(from source: AttributeType, to type: AttributeType) -> Assessment {
    let conversion = TypeConversion(from: source, to: type)
    guard conversion.isInferable else {
      return .notInferable(
        .incompatibleTypes,
        conversion.isCastable ? .valuesConvertedWhenAsked : .noConversion
      )
    }
    if conversion.isExact { return .inferable(.valuesConverted) }
    return .dependsOnRows(.everyValueFits(type), .valuesConvertedIfTheyFit)
  }

  private static func optional(_ attribute: AttributeDescription) -> Assessment {
    if attribute.isOptional { return .inferable(.noneOnExistingRows) }
    if let value = attribute.defaultValue {
      return .inferable(.defaultForRowsWithoutValue(value))
    }
    return .dependsOnRows(.everyRowHasValue, .rowsWithoutValueBreakRule)
  }
}

extension AttributeDescription {
  /// True when neither its name nor its flags enter a hash.
  fileprivate var isNameless: Bool { derivation != nil || type == .composite }
}
