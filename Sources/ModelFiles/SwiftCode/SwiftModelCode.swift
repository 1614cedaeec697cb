public import ModelDescription

/// Swift code that makes a model, which has the same hashes as the model it was written from.
///
/// Every entity is a property of its own, so that the compiler checks each separately.
public struct SwiftModelCode: Hashable, Sendable {
  /// The source text.
  public let text: String

  /// Writes the code of a model.
  ///
  /// - Parameters:
  ///   - name: the name of the model; its type gets this name if Swift allows it.
  ///   - origin: the source of the model, shown in the documentation comment.
  public init(_ model: ManagedObjectModel, name: String, origin: String, module: String = "ModelKit") {
    text = SwiftModelWriter(model: model, origin: origin, module: module).text(named: name)
  }

  /// The name of the type for a name that was asked for: the same if Swift and the names of the model's own types allow.
  public static func typeName(for name: String, of model: ManagedObjectModel, module: String = "ModelKit") -> String {
    // The structs of entities have the entities' names and may stand in the same module.
    let entities = model.entities.map(\.name) + model.composites.map(\.name)
    var types = SwiftNames(taken: SwiftWords.building.union(entities + [module]))
    return types.name(for: name, .upper, suffix: "Model")
  }
}

/// Writes the lines of a model.
private struct SwiftModelWriter {
  let model: ManagedObjectModel
  let origin: String
  let module: String

  func text(named name: String) -> String {
    let type = SwiftModelCode.typeName(for: name, of: model, module: module)
    var names = SwiftNames(taken: ["model"])
    var parts: [Part] = []
    var groups: [Part] = []
    for composite in model.composites {
      parts.append(Part(names.name(for: composite.name, .lower, suffix: "Composite"), lines(of: composite)))
    }
    for entity in model.entities {
      let name = names.name(for: entity.name, .lower, suffix: "Entity")
      let code = SwiftEntityCode(entity: entity)
      var body = code.body
      if body.count > Self.groupLimit {
        let grouped = Self.groups(of: body, name: name, &names)
        groups += grouped
        body = grouped.map(\.name)
      }
      parts.append(Part(name, Self.block(code.head, body)))
    }
    for configuration in model.configurations {
      let head = "Configuration(\(SwiftLiteral.string(configuration.name)))"
      let lines = Self.block(head, configuration.entityNames.map { SwiftLiteral.string($0) }, isAlways: true)
      parts.append(Part(names.name(for: configuration.name, .lower, suffix: "Configuration"), lines))
    }
    for request in model.fetchRequests {
      parts.append(Part(names.name(for: request.name, .lower, suffix: "Request"), [line(of: request)]))
    }
    let identifiers = model.versionIdentifiers.map { SwiftLiteral.string($0) }.joined(separator: ", ")
    let head = model.versionIdentifiers.isEmpty ? "" : "(versionIdentifiers: [\(identifiers)])"
    var lines = needsFoundation((parts + groups).flatMap(\.lines)) ? ["import Foundation"] : []
    lines += ["import \(module)", "", "/// The model of \(SwiftLiteral.comment(origin))."]
    lines += ["enum \(type) {", "  /// The model.", "  static let model = ManagedObjectModel\(head) {"]
    lines += parts.map { "    \($0.name)" } + ["  }"]
    for part in parts + groups {
      lines += ["", "  static let \(part.name) = \(part.lines.first ?? "")"] + part.lines.dropFirst().map { "  \($0)" }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The most lines between two braces: the compiler's time grows with the square of their number.
  private static let groupLimit = 100

  /// A property of the type that contains the model.
  private struct Part {
    let name: String
    let lines: [String]

    init(_ name: String, _ lines: [String]) { (self.name, self.lines) = (name, lines) }
  }

  private static func groups(of body: [String], name: String, _ names: inout SwiftNames) -> [Part] {
    stride(from: 0, to: body.count, by: groupLimit).map { start in
      let lines = Array(body[start..<min(start + groupLimit, body.count)])
      return Part(names.name(for: "\(name)Part", .lower, suffix: ""), block("EntityContents", lines))
    }
  }

  /// A call with lines between braces; without lines it has no braces.
  private static func block(_ head: String, _ body: [String], isAlways: Bool = false) -> [String] {
    body.isEmpty && !isAlways ? [head] : ["\(head) {"] + body.map { "  \($0)" } + ["}"]
  }

  private func lines(of composite: CompositeDescription) -> [String] {
    Self.block(
      "Composite(\(SwiftLiteral.string(composite.name)))",
      composite.elements.map { SwiftAttributeCode(attribute: $0).line }, isAlways: true)
  }

  private func line(of request: FetchRequestDescription) -> String {
    var arguments = [SwiftLiteral.string(request.name), "of: \(SwiftLiteral.string(request.entityName))"]
    if let predicate = request.predicate { arguments.append("predicate: \(SwiftLiteral.string(predicate))") }
    if !request.settings.isEmpty { arguments.append("settings: \(SwiftLiteral.dictionary(request.settings))") }
    return "FetchRequestTemplate(\(arguments.joined(separator: ", ")))"
  }

  /// True if a default value or a limit is written as a value of Foundation.
  private func needsFoundation(_ lines: [String]) -> Bool {
    lines.contains { line in
      ["Date(", "Data(", "UUID(", "Decimal(", "DecimalConstant(", ".decimal("].contains { line.contains($0) }
    }
  }
}

/// An entity in the words of ``Entity``.
struct SwiftEntityCode {
  let entity: EntityDescription

  /// The code before the braces.
  var head: String { "Entity(\(arguments.joined(separator: ", ")))" }

  /// The lines between the braces.
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

  /// The setting with which the fewest attributes need a setting of their own.
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

  private func list(_ names: [String]) -> String { names.map { SwiftLiteral.string($0) }.joined(separator: ", ") }

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
