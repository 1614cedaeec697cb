import ModelKit

/// The `contents` file that an edit changes.
struct EditTarget {
  let path: String
  /// The version of the file, or nil for a file outside a bundle.
  let version: ModelVersion?

  /// The origin of an element in the previous version, or nil if the origin is unknown.
  func origin(of element: ModelElement) -> ElementOrigin? { pairing?.origin(of: element) }

  /// The type of an attribute in the previous version, or nil for a new attribute.
  func formerType(of attribute: String, in entity: String) -> AttributeType? {
    guard let pairing, let source = pairing.source(ofDestination: entity),
      let name = pairing.attributes(ofDestination: entity).sourceNames[attribute]
    else { return nil }
    return pairing.source.allAttributes(of: source)[name]?.property.type
  }

  /// The warning about a removed element, if stores of the previous version have data of it.
  func losses(of element: ModelElement) -> [String] {
    guard let version, let source = previous(of: version), let bundle = try? Self.bundle(of: version), let pairing,
      case .continues = pairing.origin(of: element), !isWithoutData(element, in: pairing.destination)
    else { return [] }
    let versions = [source.name, version.name].map { ShellWord(version: $0, ofBundleAt: bundle.path).text }
      .joined(separator: " ")
    let data = if case .entity = element { "objects" } else { "values" }
    return [
      "a migration loses the \(data) of \(element) in stores of \(source.name); list all losses: "
        + "modelctl diff \(versions) --model \(ShellWord(path: bundle.path).text)"
    ]
  }

  /// True for properties without data of their own in a store.
  private func isWithoutData(_ element: ModelElement, in model: EntityHierarchy) -> Bool {
    guard case .property(let entity, let name) = element else { return false }
    if let attribute = model.allAttributes(of: entity)[name]?.property {
      return attribute.isTransient || attribute.derivation != nil
    }
    return model.allRelationships(of: entity)[name]?.property.isTransient ?? false
  }

  /// The pairs of elements of this version and the previous version.
  private var pairing: EntityPairing? {
    guard let version, let previous = previous(of: version),
      let model = try? EntityHierarchy(version.load().model), let source = try? EntityHierarchy(previous.load().model)
    else { return nil }
    return ModelStep(from: source, to: model).pairing
  }

  static func bundle(of version: ModelVersion) throws -> ModelBundle { try ModelBundle(at: version.path).whole() }

  private func previous(of version: ModelVersion) -> ModelVersion? {
    guard let bundle = try? Self.bundle(of: version) else { return nil }
    let versions = VersionEvidence.ordered([bundle])[0].versions
    guard let position = versions.firstIndex(where: { $0.name == version.name }), position > 0 else { return nil }
    return versions[position - 1]
  }
}
