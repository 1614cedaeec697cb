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
    let declarations = destination.allAttributes(of: entity)
    var leafPaths: [String: String] = [:]
    // The names alone are sorted: a declaration is large, and every pair of versions comes here.
    for name in declarations.keys.sorted() {
      guard let sourceName = names.sourceNames[name], let declaration = sourceDeclarations[sourceName]?.property,
        let declared = declarations[name]
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
    let attributes = destination.storedAttributes(of: entity)
    for path in attributes.keys.sorted() {
      guard let attribute = attributes[path] else { continue }
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
