public import StoreContents

/// The reasons why a store does not open, and the content of the rescued store.
public struct RescueReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The store that was read.
  public let store: String
  /// The new store; nil if it was not kept.
  public let output: String?
  /// The reasons why the store does not open.
  public let causes: [Cause]
  /// The version by which the store was read.
  public let readVersion: String
  /// The version of the new store.
  public let modelVersion: String
  /// The reason why the new store does not have the destination version.
  public let refusal: String?
  /// The objects that were kept, repaired and lost, by entity.
  public let entities: [Entity]
  /// Whether no data is lost.
  public let isComplete: Bool
  /// The findings of `verify` on the new store.
  public let verification: VerificationReport.Store

  private enum CodingKeys: CodingKey {
    case version, store, output, causes, readVersion, modelVersion, refusal, entities, isComplete, verification
  }

  /// One cause.
  public struct Cause: Encodable, Hashable, Sendable {
    /// Its kind, a stable name.
    public let kind: String
    /// Whether the cause keeps the store from being opened.
    public let isError: Bool
    /// The cause as a sentence.
    public let sentence: String
  }

  /// The objects of a single entity that were kept, repaired and lost.
  public struct Entity: Encodable, Hashable, Sendable {
    /// Its name; empty if the items do not belong to an entity.
    public let name: String
    /// The number of objects in the new store.
    public let kept: Int
    /// The values that were changed.
    public let repaired: [Item]
    /// The objects and values that the new store lacks.
    public let lost: [Item]
  }

  /// Objects or values that were repaired or lost for one reason.
  public struct Item: Encodable, Hashable, Sendable {
    /// The reason, a stable name.
    public let kind: String
    /// The property.
    public let property: String?
    /// The reason as a sentence.
    public let sentence: String
    /// The page of the rows, if its table is unknown.
    public let page: Int?
    /// The number of objects, values, links or pages.
    public let count: Int
    /// The keys of the objects, all of them.
    public let keys: [Int64]

    fileprivate init(_ item: RescueItem) {
      (kind, property, sentence) = (item.kind.rawValue, item.property, item.sentence)
      (page, count, keys) = (item.page, item.count, item.keys)
    }

    /// The maximum number of listed keys of an item, and of listed pages per kind of item.
    private static let shown = 5

    private var text: String {
      let list = keys.prefix(Self.shown).map(String.init).joined(separator: ", ")
      let word = kind == RescueItem.Kind.unknown.rawValue ? "rowid" : "Z_PK"
      let place = keys.isEmpty ? "" : ", \(word) \(list)\(keys.count > Self.shown ? ", …" : "")"
      let lead = (page.map { "page \($0) of an unknown table: " } ?? "") + (property.map { "\($0): " } ?? "")
      return "\(lead)\(sentence) (\(count)\(place)) [\(kind)]"
    }

    /// The texts of items; of many pages the first.
    fileprivate static func texts(_ items: [Item]) -> [String] {
      var seen: [String: Int] = [:]
      var rest: [String: (last: Item, pages: Int, count: Int)] = [:]
      var texts: [String] = []
      for item in items {
        let group = item.kind + item.sentence
        if item.page != nil { seen[group, default: 0] += 1 }
        guard item.page != nil, let number = seen[group], number > shown else {
          texts.append(item.text)
          continue
        }
        rest[group] = (item, number - shown, (rest[group]?.count ?? 0) + item.count)
      }
      for (_, more) in rest.sorted(by: { $0.key < $1.key }) {
        let pages = Quantity.text(more.pages, "more page")
        texts.append("\(pages) of an unknown table: \(more.last.sentence) (\(more.count)) [\(more.last.kind)]")
      }
      return texts
    }
  }

  /// Creates a report of a rescue.
  public init(_ outcome: RescueOutcome) {
    (store, output, readVersion, modelVersion) = (outcome.store, outcome.path, outcome.read, outcome.version)
    refusal = outcome.refusal
    causes = outcome.causes.map { Cause(kind: $0.kind, isError: $0.isError, sentence: $0.description) }
    entities = outcome.entities.map {
      Entity(name: $0.name, kept: $0.kept, repaired: $0.repaired.map(Item.init), lost: $0.lost.map(Item.init))
    }
    isComplete = outcome.isComplete
    verification = VerificationReport.Store(
      path: outcome.path ?? "the new store", modelVersion: outcome.version, problems: outcome.findings)
  }

  /// The reasons why the store does not open, in one paragraph.
  var diagnosis: String {
    let sentences = causes.map(\.sentence).joined(separator: "; ")
    guard causes.contains(where: \.isError) else {
      return "\(store): it opens without problems." + (causes.isEmpty ? "" : " Note: \(sentences).")
    }
    return "\(store): it does not open correctly, because \(sentences)."
  }

  /// The new store.
  var result: String {
    let count = entities.reduce(0) { $0 + $1.kept }
    let made = output.map { "\($0): new store of \(modelVersion)" } ?? "the new store would be of \(modelVersion)"
    let read = readVersion == modelVersion ? "" : ", read as \(readVersion)"
    return "\(made)\(read), with \(Quantity.text(count, "object"))"
      + (isComplete ? "; all data that was found is kept" : "; some data is lost")
  }

  /// The causes, then the kept, repaired and lost objects by entity, then the verification.
  public var text: String {
    var lines = WrappedText.lines(diagnosis, lead: "") + WrappedText.lines(result, lead: "")
    if let refusal { lines += WrappedText.lines("not migrated: \(refusal)", lead: "  ", indent: "    ") }
    for entity in entities {
      let name = entity.name.isEmpty ? "not part of an object" : "\(entity.name): \(entity.kept) kept"
      lines += WrappedText.lines(name, lead: "  ")
      for (word, items) in [("repaired", entity.repaired), ("lost", entity.lost)] {
        for text in Item.texts(items) { lines += WrappedText.lines("\(word): \(text)", lead: "    ", indent: "      ") }
      }
    }
    return lines.joined(separator: "\n") + "\n" + verification.text
  }
}

extension RescueReport {
  private var title: String { "Rescue of \(store)" }

  private var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = [.facts([diagnosis, result] + (refusal.map { ["not migrated: \($0)"] } ?? []))]
    let rows = entities.map { entity in
      [
        entity.name.isEmpty ? "not part of an object" : entity.name, "\(entity.kept)",
        "\(entity.repaired.reduce(0) { $0 + $1.count })", "\(entity.lost.reduce(0) { $0 + $1.count })",
      ]
    }
    if !rows.isEmpty {
      blocks.append(
        .table(
          ReportTable(
            caption: "Objects by entity", columns: ["Entity", "Kept", "Repaired", "Lost"], rows: rows,
            numericColumns: [1, 2, 3])))
    }
    for (heading, items) in [("Repaired", \Entity.repaired), ("Lost", \Entity.lost)] {
      let facts = entities.flatMap { entity in
        Item.texts(entity[keyPath: items]).map { (entity.name.isEmpty ? "" : "\(entity.name): ") + $0 }
      }
      if !facts.isEmpty { blocks += [.heading(heading, level: 2), .facts(facts)] }
    }
    blocks += [.heading("The new store", level: 2), .facts(verification.problems.map(\.sentence))]
    if verification.problems.isEmpty {
      blocks[blocks.count - 1] = .facts(["sound (checked against version \(modelVersion))"])
    }
    return blocks
  }

  /// The report as an HTML page.
  public var html: String {
    Page(
      title: title, summary: [result],
      content: "<div id=\"text\" tabindex=\"-1\">\n\(blocks.map(\.markup).joined(separator: "\n"))\n</div>"
    ).text
  }

  /// The report as Markdown.
  public var markdown: String {
    let lead = ["# \(MarkdownText.escaped(title))", MarkdownText.escaped(result)]
    return (lead + blocks.map(\.markdown)).joined(separator: "\n\n") + "\n"
  }
}
