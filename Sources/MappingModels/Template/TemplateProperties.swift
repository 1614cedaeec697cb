import ModelComparison
import ModelDescription

/// The properties of one entity mapping in a template: those that do not simply stay.
struct TemplateProperties {
  /// A property that is written, with the lines before it.
  struct Property {
    var written: WrittenPropertyMapping
    var lines: [String]
  }

  private(set) var attributes: [Property] = []
  private(set) var relationships: [Property] = []
  /// The lines before the entity mapping.
  private(set) var summary: [String] = []

  init(inference: PropertyInference, remarks: TemplateRemarks, entity: String, sourceName: String) {
    let lines = remarks.lines(ofPropertiesOf: entity)
    attributes = Self.properties(inference.attributes, lines)
    relationships = Self.properties(inference.relationships, lines)
    for index in relationships.indices where relationships[index].written.value == .unset {
      guard let name = inference.sourceRelationships[relationships[index].written.name] else { continue }
      relationships[index].lines.append(
        "\(MappingTemplate.openDecision) no entity mapping makes what \(sourceName).\(name) leads to; with one, write"
          + " mapping=\"…\" here")
    }
    let copied = [
      Self.count(inference.attributes.count - attributes.count, "attribute"),
      Self.count(inference.relationships.count - relationships.count, "relationship"),
    ].compactMap { $0 }
    let title = entity == sourceName ? entity : "\(sourceName) becomes \(entity)"
    summary = [copied.isEmpty ? title : "\(title): \(copied.joined(separator: " and ")) as before"]
    summary += Self.gone(inference, sourceName: sourceName, in: remarks.pairing.source)
  }

  private static func count(_ number: Int, _ noun: String) -> String? {
    number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func properties(
    _ inferred: [String: PropertyInference.Inferred], _ lines: [String: [String]]
  ) -> [Property] {
    inferred.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.compactMap { path, value in
      var lines = lines[String(path.prefix { $0 != "." })] ?? []
      let written: WrittenPropertyMapping.Value
      switch value {
      case .failure(let refusal):
        let words = MappingResolutionError(refusal.cause, at: .entityMapping(0)).description
        lines = ["\(MappingTemplate.openDecision) \(words)"]
        if case .incompatibleTypes(_, let conversion) = refusal.cause, let type = conversion.castType,
          let sourcePath = refusal.sourcePath
        {
          lines.append("perhaps value=\"CAST($source.\(sourcePath), '\(type)')\"")
        }
        written = .unset
      case .success(.relationship): return nil
      case .success(.attribute(let mapping)):
        if let expression = mapping.expression {
          lines.append("perhaps value=\"\(expression.formatted(quotes: .single))\"")
        }
        written = .inferred
      case .success(.unset): written = .unset
      case .success(.sql(let sql)): written = .sql(sql)
      case .success(.expression(let expression)):
        if lines.isEmpty, expression.sourcePath == path { return nil }
        written = expression.madeObjects.map { .made(by: $0.mapping, from: $0.sources) } ?? .expression(expression)
      }
      return Property(written: WrittenPropertyMapping(name: path, value: written), lines: lines)
    }
  }

  /// The source properties whose values nothing reads.
  private static func gone(_ inference: PropertyInference, sourceName: String, in source: EntityHierarchy) -> [String] {
    var read = Set(inference.sourceRelationships.values)
    for value in Array(inference.attributes.values) + Array(inference.relationships.values) {
      switch value {
      case .success(let value): value.expression?.sourcePath.map { _ = read.insert($0) }
      case .failure(let refusal): refusal.sourcePath.map { _ = read.insert($0) }
      }
    }
    let attributes = source.storedAttributes(of: sourceName).values.filter { $0.derivation == nil }
      .map { (path: $0.path, words: "\($0.path) (\($0.leaf.type.name))") }
    let relationships = source.storedRelationships(of: sourceName).values
      .map { (path: $0.name, words: "\($0.name) (to \($0.destinationEntityName ?? "nothing"))") }
    return (attributes + relationships).filter { !read.contains($0.path) }.sorted { $0.path < $1.path }.map {
      "\(MappingTemplate.openDecision) nothing reads \(sourceName).\($0.words); read it as $source.\($0.path),"
        + " or state the loss with <drop name=\"\(sourceName).\($0.path)\"/> in the mappingModel"
    }
  }
}

extension ValueExpression {
  /// The keys of the source value that an inferred expression carries over.
  fileprivate var sourcePath: String? {
    switch self {
    case .keyPath(let keys, of: .variable("source")): keys.joined(separator: ".")
    case .conditional(_, _, let other): other.sourcePath
    case .invocation(_, _, let arguments): arguments.last?.sourcePath
    default: nil
    }
  }
}

extension TypeConversion {
  /// The class that a cast to the new type names, nil when no conversion exists.
  fileprivate var castType: String? {
    guard isCastable else { return nil }
    switch to {
    case .date: return "NSDate"
    case .uuid: return "NSUUID"
    case .uri: return "NSURL"
    case .binary: return "NSData"
    case .decimal: return "NSDecimalNumber"
    case .string: return "NSString"
    default: return "NSNumber"
    }
  }
}
