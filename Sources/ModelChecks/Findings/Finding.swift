import Foundation
public import MappingModels
import MigrationSQL
public import ModelDescription
public import ModelFiles
import PersistentStores
import StoreMigration

/// Something that a rule found wrong, at a place.
///
/// ```swift
/// let file = try ModelBundle(at: "Orders.xcdatamodeld").currentVersion().load()
/// for finding in Rule.check(file) where finding.severity == .error {
///   print(finding.rule, finding.message, finding.fix ?? "")
/// }
/// ```
///
/// ## Topics
///
/// ### What and where
/// - ``rule``
/// - ``severity``
/// - ``element``
/// - ``location``
///
/// ### Words
/// - ``message``
/// - ``fix``
public struct Finding: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Core Data refuses the model, or data is lost.
    case error
    /// It works, but not as it looks.
    case warning
    /// Worth knowing; nothing has to be done.
    case note

    /// True when a check that found it does not pass.
    public var isFailure: Bool { self != .note }
  }

  /// The id of the rule, stable across releases.
  public var rule: String
  /// How much it matters.
  public var severity: Severity
  /// What it is about.
  public var element: ModelElement
  /// Where that stands; nil when the model has no text.
  public var location: SourceLocation?
  /// What is wrong, in one sentence without a full stop.
  public var message: String
  /// What would put it right.
  public var fix: Advice?
  /// Where else than at the element itself an entry silences it.
  var silencers: [ModelPlace] = []
  /// What `modelctl edit` does to mend it, each by itself.
  var edits: [String] = []
  /// What another finding is about, of which this one is a consequence.
  var cause: ModelPlace?
  /// True for advice about a version that users have, which can only be followed in the next one.
  private(set) var isForNextVersion = false

  /// Makes a finding.
  public init(
    rule: String,
    severity: Severity,
    element: ModelElement,
    location: SourceLocation? = nil,
    message: String,
    fix: Advice? = nil
  ) {
    (self.rule, self.severity, self.element) = (rule, severity, element)
    (self.location, self.message, self.fix) = (location, message, fix)
  }

  /// The finding with the commands that mend it, about a file that can be edited.
  var withEdits: Finding {
    guard let fix, let file = location?.file, BundlePath.lastComponent(file) == "contents", let first = edits.first,
      FileManager.default.fileExists(atPath: file)
    else { return self }
    func command(_ edit: String) -> String { "modelctl edit \(edit) --in \(ShellWord(path: file).text)" }
    let beginning: Advice = "\(fix): \(command: command(first))"
    var finding = self
    finding.fix = edits.dropFirst().reduce(into: beginning) { $0 = "\($0); or: \(command: command($1))" }
    return finding
  }

  /// The finding as it is reported of a version that users have: what is no error is a note about the next version.
  var forNextVersion: Finding {
    guard severity != .error else { return self }
    var finding = self
    (finding.severity, finding.isForNextVersion) = (.note, true)
    finding.fix = fix.map { "in the next version: \($0)" }
    return finding
  }

  /// The finding about a version of which nothing says whether users have it: what is no error is a note.
  var ofUnguardedVersion: Finding {
    guard severity != .error else { return self }
    var finding = self
    (finding.severity, finding.isForNextVersion) = (.note, true)
    return finding
  }
}

extension Finding: Comparable {
  /// Orders by place, those without one last, then by element and rule.
  public static func < (first: Finding, second: Finding) -> Bool {
    switch (first.location, second.location) {
    case (let left?, let right?) where left != right: return left < right
    case (.some, nil): return true
    case (nil, .some): return false
    default:
      return (first.element.description, first.rule, first.message)
        < (second.element.description, second.rule, second.message)
    }
  }
}

extension Finding: CustomStringConvertible {
  /// The line that terminals and editors recognise: `file:line:column: error: message [rule]`.
  public var description: String {
    let place = location.map { "\($0): " } ?? ""
    return "\(place)\(severity.rawValue): \(message) [\(rule)]"
  }
}

extension Finding {
  /// Asks SQLite about every piece of SQL in a mapping model.
  ///
  /// - Parameters:
  ///   - mapping: the mapping model.
  ///   - source: the model that it reads.
  ///   - location: where a property of an entity mapping stands, by the names of both.
  /// - Returns: one finding for each piece that is not one expression over a source row.
  /// - Throws: SQLite's error when its tables cannot be made.
  public static func snippets(
    in mapping: MappingModel, from source: EntityHierarchy, location: (String, String) -> SourceLocation?
  ) throws -> [Finding] {
    let pieces = mapping.entityMappings.flatMap { entity in
      entity.propertyMappings.compactMap { property in
        if case .sql(let sql) = property.value { (entity: entity, property: property.name, sql: sql) } else { nil }
      }
    }
    guard !pieces.isEmpty else { return [] }
    let check = try SQLSnippetCheck(source: StoreModel(hierarchy: source, layout: SQLStoreLayout(of: source)))
    return pieces.compactMap { piece in
      guard let entity = piece.entity.source, source.entity(named: entity) != nil else { return nil }
      do {
        try check.check(piece.sql, entity: entity)
        return nil
      } catch {
        return Finding(
          rule: MappingRule.sql.rawValue, severity: .error,
          element: .property(entity: piece.entity.destination ?? entity, name: piece.property),
          location: location(piece.entity.name, piece.property), message: ExpressionError(error).description,
          fix: "write one SQL expression over the source row")
      }
    }
  }
}
