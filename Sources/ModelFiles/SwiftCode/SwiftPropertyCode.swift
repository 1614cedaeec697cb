import ModelDescription

/// Relationships and fetched properties in Swift, and what all properties have.
struct SwiftPropertyCode {
  var isSyncableByDefault = false

  /// The arguments of a plain value except its kind.
  static func identity(
    _ renamingIdentifier: String?, _ versionHashModifier: String?, _ userInfo: [String: String], _ isSyncable: Bool
  ) -> [String] {
    var arguments: [String] = []
    if let renamingIdentifier { arguments.append("renamingIdentifier: \(SwiftLiteral.string(renamingIdentifier))") }
    if let versionHashModifier { arguments.append("versionHashModifier: \(SwiftLiteral.string(versionHashModifier))") }
    if !userInfo.isEmpty { arguments.append("userInfo: \(SwiftLiteral.dictionary(userInfo))") }
    if isSyncable { arguments.append("isSyncable: true") }
    return arguments
  }

  func line(of relationship: RelationshipDescription) -> String {
    guard let destination = relationship.destinationEntityName,
      (relationship.inverseName == nil) == (relationship.inverseEntityName == nil),
      relationship.isToMany || !relationship.isOrdered
    else { return plain(relationship) }
    var arguments = [
      SwiftLiteral.string(relationship.name),
      "\(relationship.isToMany ? "toMany" : "toOne"): \(SwiftLiteral.string(destination))",
    ]
    if let inverse = relationship.inverseName { arguments.append("inverse: \(SwiftLiteral.string(inverse))") }
    if relationship.deleteRule != .nullify { arguments.append("deleteRule: \(rule(relationship.deleteRule))") }
    var calls = relationship.isToMany ? toMany(relationship) : toOne(relationship)
    if let entity = relationship.inverseEntityName, entity != destination {
      calls.append(".inverseEntity(\(SwiftLiteral.string(entity)))")
    }
    if relationship.isTransient { calls.append(".transient()") }
    if relationship.isIndexed { calls.append(".indexed()") }
    if let identifier = relationship.renamingIdentifier {
      calls.append(".renamingIdentifier(\(SwiftLiteral.string(identifier)))")
    }
    if let modifier = relationship.versionHashModifier {
      calls.append(".versionHashModifier(\(SwiftLiteral.string(modifier)))")
    }
    calls += common(relationship.userInfo, relationship.isSyncable)
    return "Relationship(\(arguments.joined(separator: ", ")))\(calls.joined())"
  }

  func line(of property: FetchedPropertyDescription) -> String {
    guard let request = property.fetchRequest else { return plain(property) }
    var arguments = [SwiftLiteral.string(property.name), "of: \(SwiftLiteral.string(request.entityName))"]
    if let predicate = request.predicate { arguments.append("predicate: \(SwiftLiteral.string(predicate))") }
    if request.name != FetchedProperty.requestName {
      arguments.append("requestName: \(SwiftLiteral.string(request.name))")
    }
    if !request.settings.isEmpty { arguments.append("settings: \(SwiftLiteral.dictionary(request.settings))") }
    let calls = (property.isOptional ? [".optional()"] : []) + common(property.userInfo, property.isSyncable)
    return "FetchedProperty(\(arguments.joined(separator: ", ")))\(calls.joined())"
  }

  private func common(_ userInfo: [String: String], _ isSyncable: Bool) -> [String] {
    var calls = userInfo.isEmpty ? [] : [".userInfo(\(SwiftLiteral.dictionary(userInfo)))"]
    if isSyncable != isSyncableByDefault { calls.append(isSyncable ? ".syncable()" : ".syncable(false)") }
    return calls
  }

  private func toOne(_ relationship: RelationshipDescription) -> [String] {
    var calls = relationship.isOptional ? [".optional()"] : []
    if relationship.minCount != 0 { calls.append(".minCount(\(count(relationship.minCount)))") }
    return calls
  }

  private func toMany(_ relationship: RelationshipDescription) -> [String] {
    var calls = relationship.isOptional ? [] : [".required()"]
    if relationship.isOrdered { calls.append(".ordered()") }
    if relationship.minCount != 0 { calls.append(".minCount(\(count(relationship.minCount)))") }
    if relationship.maxCount != 0 { calls.append(".maxCount(\(count(relationship.maxCount)))") }
    return calls
  }

  private func count(_ count: Int) -> String { count == .max ? ".max" : "\(count)" }

  private func rule(_ rule: DeleteRule) -> String {
    switch rule {
    case .noAction: ".noAction"
    case .nullify: ".nullify"
    case .cascade: ".cascade"
    case .deny: ".deny"
    }
  }

  private func plain(_ relationship: RelationshipDescription) -> String {
    let destination = relationship.destinationEntityName.map { SwiftLiteral.string($0) } ?? "nil"
    var arguments = ["name: \(SwiftLiteral.string(relationship.name))", "destinationEntityName: \(destination)"]
    if let inverse = relationship.inverseName { arguments.append("inverseName: \(SwiftLiteral.string(inverse))") }
    if let entity = relationship.inverseEntityName {
      arguments.append("inverseEntityName: \(SwiftLiteral.string(entity))")
    }
    if relationship.isOptional { arguments.append("isOptional: true") }
    if relationship.isTransient { arguments.append("isTransient: true") }
    if relationship.minCount != 0 { arguments.append("minCount: \(count(relationship.minCount))") }
    if relationship.maxCount != 0 { arguments.append("maxCount: \(count(relationship.maxCount))") }
    if relationship.isOrdered { arguments.append("isOrdered: true") }
    if relationship.deleteRule != .nullify { arguments.append("deleteRule: \(rule(relationship.deleteRule))") }
    if relationship.isIndexed { arguments.append("isIndexed: true") }
    arguments += Self.identity(
      relationship.renamingIdentifier, relationship.versionHashModifier, relationship.userInfo, relationship.isSyncable)
    return "RelationshipDescription(\(arguments.joined(separator: ", ")))"
  }

  private func plain(_ property: FetchedPropertyDescription) -> String {
    var arguments = ["name: \(SwiftLiteral.string(property.name))"]
    if property.isOptional { arguments.append("isOptional: true") }
    arguments += Self.identity(nil, nil, property.userInfo, property.isSyncable)
    return "FetchedPropertyDescription(\(arguments.joined(separator: ", ")))"
  }
}
