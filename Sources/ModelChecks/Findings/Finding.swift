import Foundation
public import MappingModels
import MigrationSQL
public import ModelDescription
public import ModelFiles
import PersistentStores
import StoreMigration

/// A result of a rule, with its location, its message and its fix.
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
/// ### Subject
/// - ``rule``
/// - ``severity``
/// - ``element``
/// - ``location``
///
/// ### Words
/// - ``message``
/// - ``fix``
public struct Finding: Hashable, Sendable {
  /// The severity of a finding.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Core Data refuses the model, or data is lost.
    case error
    /// Core Data accepts the model, but does not do what it seems to say.
    case warning
    /// Information; you need not do anything.
    case note

    /// True if the finding fails a check.
    public var isFailure: Bool { self != .note }
  }

  /// The id of the rule, stable across releases.
  public var rule: String
  /// The severity.
  public var severity: Severity
  /// The element of the finding.
  public var element: ModelElement
  /// The location of the element; nil if the model is not in a file.
  public var location: SourceLocation?
  /// The finding as a sentence without a full stop.
  public var message: String
  /// The advice that corrects it.
  public var fix: Advice?
  /// The elements, besides its own, at which an entry ignores it.
  var silencers: [ElementLocation] = []
  /// The arguments of `modelctl edit` that correct it; each edit corrects it by itself.
  var edits: [[String]] = []
  /// The element of the finding that caused this finding.
  var cause: ElementLocation?
  /// True for advice about a released version, which you can follow only in the next version.
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

  /// The finding with the commands that correct it, if its file can be edited.
  var withEdits: Finding {
    guard let fix, let file = location?.file, BundlePath.lastComponent(file) == "contents", let first = edits.first,
      FileManager.default.fileExists(atPath: file)
    else { return self }
    func command(_ edit: [String]) -> [String] { ["modelctl", "edit"] + edit + ["--in", ShellWord.argument(file)] }
    let beginning: Advice = "\(fix): \(run: command(first))"
    var finding = self
    finding.fix = edits.dropFirst().reduce(into: beginning) { $0 = "\($0); or: \(run: command($1))" }
    return finding
  }

  /// The finding about a released version: a warning becomes a note about the next version.
  var forNextVersion: Finding {
    guard severity != .error else { return self }
    var finding = self
    (finding.severity, finding.isForNextVersion) = (.note, true)
    finding.fix = fix.map { "in the next version: \($0)" }
    return finding
  }

  /// The finding about a version without release evidence: a warning becomes a note.
  var ofUnguardedVersion: Finding {
    guard severity != .error else { return self }
    var finding = self
    (finding.severity, finding.isForNextVersion) = (.note, true)
    return finding
  }
}

extension Finding: Comparable {
  /// Orders by location, then by element and rule; findings without a location are last.
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
  /// Checks every piece of SQL in a mapping model with SQLite.
  ///
  /// - Parameters:
  ///   - mapping: the mapping model.
  ///   - source: the source model.
  ///   - location: returns the location of a property, by the names of its entity mapping and of the property.
  /// - Returns: one finding for each piece that is not a single expression on a source row.
  /// - Throws: the error of SQLite if its tables cannot be made.
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
          fix: "write a single SQL expression on the source row")
      }
    }
  }
}
