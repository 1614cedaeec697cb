public import ModelDescription

/// Swift code that makes a model, which has the same hashes as the model it was written from.
///
/// Every entity is a property of its own, so that the compiler looks at one at a time.
public struct SwiftModelCode: Hashable, Sendable {
  /// The source text.
  public let text: String

  /// Writes the code of a model.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - name: what the model is called; the type that holds it gets this name, as far as Swift allows.
  ///   - origin: where the model comes from, shown in the documentation comment.
  ///   - module: the module that the code imports.
  public init(_ model: ManagedObjectModel, name: String, origin: String, module: String = "ModelKit") {
    text = SwiftModelWriter(model: model, origin: origin, module: module).text(named: name)
  }
}

/// Writes the lines of a model.
private struct SwiftModelWriter {
  let model: ManagedObjectModel
  let origin: String
  let module: String

  func text(named name: String) -> String {
    // The structs of entities have the entities' names and may stand in the same module.
    let entities = model.entities.map(\.name) + model.composites.map(\.name)
    var types = SwiftNames(taken: SwiftWords.building.union(entities + [module]))
    let type = types.name(for: name, .upper, suffix: "Model")
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

  /// A property of the type that holds the model.
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

  /// A call with lines between braces, without braces where there are none.
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

  /// True when a default or a bound is written as a value of Foundation's.
  private func needsFoundation(_ lines: [String]) -> Bool {
    lines.contains { line in
      ["Date(", "Data(", "UUID(", "Decimal(", "DecimalConstant(", ".decimal("].contains { line.contains($0) }
    }
  }
}
