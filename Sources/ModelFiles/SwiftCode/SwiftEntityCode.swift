import ModelDescription

/// An entity in the words of ``Entity``.
struct SwiftEntityCode {
  let entity: EntityDescription

  /// What stands in front of the braces.
  var head: String { "Entity(\(arguments.joined(separator: ", ")))" }

  /// What stands between the braces, a line each.
  var body: [String] { properties + indexes }

  private var arguments: [String] {
    var arguments = [SwiftLiteral.string(entity.name)]
    if let parent = entity.superentityName { arguments.append("parent: \(SwiftLiteral.string(parent))") }
    if entity.isAbstract { arguments.append("isAbstract: true") }
    if entity.className != entity.name {
      arguments.append("objectClass: \(entity.className.map { SwiftLiteral.string($0) } ?? ".managedObject")")
    }
    switch entity.codeGeneration {
    case "class": break
    case nil: arguments.append("codeGeneration: nil")
    case "category": arguments.append("codeGeneration: .category")
    case let word?: arguments.append("codeGeneration: CodeGeneration(rawValue: \(SwiftLiteral.string(word)))")
    }
    arguments += SwiftPropertyCode.identity(
      entity.renamingIdentifier, entity.versionHashModifier, entity.userInfo, false)
    if scalarValues != .whereXcodeDoes { arguments.append("scalarValues: .\(scalarValues)") }
    if syncable != .entity { arguments.append("syncable: .\(syncable)") }
    return arguments
  }

  /// What leaves the fewest attributes to say something of their own.
  private var scalarValues: ScalarValues {
    let exceptions = [ScalarValues.whereXcodeDoes, .nowhere, .unsaid].map { style in
      (style, entity.attributes.count { $0.usesScalarValueType != style.flag(for: $0.type) })
    }
    return exceptions.min { $0.1 < $1.1 }?.0 ?? .whereXcodeDoes
  }

  private var syncable: SyncFlag {
    guard entity.isSyncable else { return .none }
    let flags =
      entity.attributes.map(\.isSyncable) + entity.relationships.map(\.isSyncable)
      + entity.fetchedProperties.map(\.isSyncable)
    return flags.count(where: \.self) * 2 > flags.count ? .withProperties : .entity
  }

  private var properties: [String] {
    let isSyncable = syncable == .withProperties
    let code = SwiftPropertyCode(isSyncableByDefault: isSyncable)
    return entity.attributes.map {
      SwiftAttributeCode(attribute: $0, scalarValues: scalarValues, isSyncableByDefault: isSyncable).line
    } + entity.relationships.map { code.line(of: $0) } + entity.fetchedProperties.map { code.line(of: $0) }
  }

  private var indexes: [String] {
    entity.fetchIndexes.map(line)
      + entity.compoundIndexes.map { "CompoundIndex(\(list($0)))" }
      + entity.uniquenessConstraints.map { "UniquenessConstraint(\(list($0)))" }
  }

  private func list(_ names: [String]) -> String {
    names.map { SwiftLiteral.string($0) }.joined(separator: ", ")
  }

  private func line(_ index: FetchIndexDescription) -> String {
    var arguments = [SwiftLiteral.string(index.name)] + index.elements.map(argument)
    if let predicate = index.partialIndexPredicate {
      arguments.append("partialIndexPredicate: \(SwiftLiteral.string(predicate))")
    }
    return "FetchIndex(\(arguments.joined(separator: ", ")))"
  }

  private func argument(_ element: FetchIndexDescription.Element) -> String {
    switch (element.subject, element.kind, element.isAscending) {
    case (.property(let name), .binary, true): return ".ascending(\(SwiftLiteral.string(name)))"
    case (.property(let name), .binary, false): return ".descending(\(SwiftLiteral.string(name)))"
    case (.property(let name), .rTree, true): return ".rTree(\(SwiftLiteral.string(name)))"
    default:
      let subject =
        switch element.subject {
        case .property(let name): ".property(\(SwiftLiteral.string(name)))"
        case .expression(let text): ".expression(\(SwiftLiteral.string(text)))"
        }
      let kind = element.kind == .rTree ? ", kind: .rTree" : ""
      return ".init(subject: \(subject)\(kind)\(element.isAscending ? "" : ", isAscending: false"))"
    }
  }
}
