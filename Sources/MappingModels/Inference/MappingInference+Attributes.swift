import ModelComparison
import ModelDescription

extension MappingInference {
  func attributes(
    of entity: String,
    from sourceEntity: String
  ) throws(InferenceRefusal) -> [String: AttributeMapping] {
    let names = pairing.attributes(ofDestination: entity)
    try check(names, of: entity)
    let sourceAttributes = source.storedAttributes(of: sourceEntity)
    let sourceDeclarations = source.allAttributes(of: sourceEntity)
    var leafPaths: [String: String] = [:]
    for (name, declared) in destination.allAttributes(of: entity).sorted(by: { $0.key < $1.key }) {
      guard let sourceName = names.sourceNames[name], let declaration = sourceDeclarations[sourceName]?.property
      else { continue }
      let isStored = !declared.property.isTransient && !declaration.isTransient
      if isStored, (declared.property.type == .composite) != (declaration.type == .composite) {
        try refuse(
          InferenceRefusal(
            .incompatibleTypes(TypeConversion(from: declaration.type, to: declared.property.type)),
            at: .property(entity: entity, name: name)))
        continue
      }
      leafPaths.merge(EntityPairing.leafPaths(from: declaration, to: declared.property)) { first, _ in first }
    }
    var mappings: [String: AttributeMapping] = [:]
    for (path, attribute) in destination.storedAttributes(of: entity).sorted(by: { $0.key < $1.key }) {
      let sourceAttribute = leafPaths[path].flatMap { sourceAttributes[$0] }
      mappings[path] = try mapping(of: attribute, in: entity, from: sourceAttribute)
    }
    return mappings
  }

  private func mapping(
    of attribute: StoredAttribute,
    in entity: String,
    from sourceAttribute: StoredAttribute?
  ) throws(InferenceRefusal) -> AttributeMapping {
    let fill = try fill(of: attribute, in: entity)
    guard let sourceAttribute else {
      if let derivation = attribute.derivation { return AttributeMapping(origin: .derived(derivation)) }
      return AttributeMapping(origin: .constant(fill ?? attribute.defaultValue))
    }
    if let derivation = attribute.derivation {
      let isKept = sourceAttribute.derivation == derivation && sourceAttribute.leaf.type == attribute.leaf.type
      return AttributeMapping(origin: isKept ? .source(sourceAttribute.path) : .derived(derivation))
    }
    var steps: [AttributeMapping.Step] = []
    let isExternal = attribute.leaf.allowsExternalBinaryDataStorage
    let changesStorage = sourceAttribute.leaf.allowsExternalBinaryDataStorage != isExternal
    if changesStorage, !isExternal { steps.append(.externalStorage(allowed: false)) }
    if let conversion = try conversion(of: attribute, in: entity, from: sourceAttribute) {
      steps.append(.convert(from: conversion.from, to: conversion.to))
    }
    if changesStorage, isExternal { steps.append(.externalStorage(allowed: true)) }
    let becomesMandatory = sourceAttribute.isOptional && !attribute.isOptional
    if let value = fill ?? (becomesMandatory ? attribute.defaultValue : nil) { steps.append(.replaceNil(value)) }
    return AttributeMapping(origin: .source(sourceAttribute.path), steps: steps)
  }

  private func conversion(
    of attribute: StoredAttribute,
    in entity: String,
    from sourceAttribute: StoredAttribute
  ) throws(InferenceRefusal) -> TypeConversion? {
    let conversion = TypeConversion(from: sourceAttribute.leaf.type, to: attribute.leaf.type)
    if conversion.from == conversion.to { return nil }
    if conversion.isInferable || destination.hasOnlySubentities(entity) { return conversion }
    let names = InferenceOptions.names(of: attribute, in: entity, of: destination)
    if conversion.isCastable, names.contains(where: options.casts.contains) { return conversion }
    try refuse(
      InferenceRefusal(.incompatibleTypes(conversion), at: .property(entity: entity, name: attribute.path)))
    return conversion.isCastable ? conversion : nil
  }

  private func fill(of attribute: StoredAttribute, in entity: String) throws(InferenceRefusal) -> AttributeValue? {
    guard !options.fills.isEmpty else { return nil }
    for name in InferenceOptions.names(of: attribute, in: entity, of: destination) {
      guard let value = options.fills[name] else { continue }
      guard value.suits(attribute.leaf.type) else {
        try refuse(
          InferenceRefusal(
            .unsuitableFill(attribute.leaf.type), at: .property(entity: entity, name: attribute.path)))
        return nil
      }
      return value
    }
    return nil
  }
}
