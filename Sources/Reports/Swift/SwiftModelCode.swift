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
  ///   - origin: where the model comes from, told in the documentation comment.
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
    var types = SwiftNames()
    let type = types.name(for: name, .upper, suffix: "Model")
    var names = SwiftNames(taken: ["model"])
    var parts: [(name: String, lines: [String])] = []
    for composite in model.composites {
      parts.append((names.name(for: composite.name, .lower, suffix: "Composite"), lines(of: composite)))
    }
    for entity in model.entities {
      parts.append((names.name(for: entity.name, .lower, suffix: "Entity"), SwiftEntityCode(entity: entity).lines))
    }
    for configuration in model.configurations {
      let members = configuration.entityNames.map { "  \(SwiftLiteral.string($0))" }
      let head = "Configuration(\(SwiftLiteral.string(configuration.name))) {"
      parts.append((names.name(for: configuration.name, .lower, suffix: "Configuration"), [head] + members + ["}"]))
    }
    for request in model.fetchRequests {
      parts.append((names.name(for: request.name, .lower, suffix: "Request"), [line(of: request)]))
    }
    let identifiers = model.versionIdentifiers.map { SwiftLiteral.string($0) }.joined(separator: ", ")
    let head = model.versionIdentifiers.isEmpty ? "" : "(versionIdentifiers: [\(identifiers)])"
    var lines = needsFoundation(parts.flatMap(\.lines)) ? ["import Foundation"] : []
    lines += ["import \(module)", "", "/// The model of \(SwiftLiteral.comment(origin))."]
    lines += ["enum \(type) {", "  /// The model.", "  static let model = ManagedObjectModel\(head) {"]
    lines += parts.map { "    \($0.name)" } + ["  }"]
    for part in parts {
      lines += ["", "  static let \(part.name) = \(part.lines.first ?? "")"] + part.lines.dropFirst().map { "  \($0)" }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func lines(of composite: CompositeDescription) -> [String] {
    ["Composite(\(SwiftLiteral.string(composite.name))) {"]
      + composite.elements.map { "  \(SwiftAttributeCode(attribute: $0).line)" } + ["}"]
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
