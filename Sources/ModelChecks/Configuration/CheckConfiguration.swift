import Foundation
public import MappingModels
public import ModelFiles
public import StoreMigration

/// The configuration of the checks of a project, in `.modelctl.json`.
public struct CheckConfiguration: Hashable, Sendable {
  /// The severity that a project gives to the findings of a rule.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// The rule is not checked.
    case off
    /// They are reported, and the check passes.
    case note
    /// They fail the check.
    case warning
    /// They fail the check.
    case error

    /// The severity of the findings; nil if the rule is off.
    public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
  }

  /// The name of the file.
  public static let fileName = ProjectFolder.configurationName

  /// The path of the file; nil if there is no file.
  public var path: String?
  /// The levels of rules, by id; other rules have their own severity.
  public var levels: [String: Level]
  /// The excluded paths, from the file's folder.
  public var excluded: [PathPattern]
  /// The tags of releases, as a pattern of git; every version at such a tag is released.
  public var releasedTags: String?
  /// The bundles that the app merges into a single model, and that must fit together.
  public var unions: [ConfiguredUnion]
  /// The reader that migrates the stores of users; nil if the file does not name it.
  public var migratedBy: MigrationReader?
  /// The replacements of policy classes that only the app has.
  public var policies: PolicyReplacements
  /// The CloudKit containers that mirror models of the project.
  public var containers: [ConfiguredContainer] = []

  /// Makes a configuration; without arguments, the rules have their own severities.
  public init(
    path: String? = nil, levels: [String: Level] = [:], excluded: [PathPattern] = [], releasedTags: String? = nil,
    unions: [ConfiguredUnion] = [], migratedBy: MigrationReader? = nil, policies: PolicyReplacements = .init()
  ) {
    (self.path, self.levels, self.excluded, self.releasedTags) = (path, levels, excluded, releasedTags)
    (self.unions, self.migratedBy, self.policies) = (unions, migratedBy, policies)
  }

  /// The reader that migrates the stores of users; Core Data if the file does not name it.
  public var reader: MigrationReader { migratedBy ?? .coreData }

  /// True unless the rule is off.
  public func isOn(_ rule: Rule) -> Bool { levels[rule.id] != .off }

  /// True for a path that the project excludes.
  public func excludes(_ path: String) -> Bool {
    guard !excluded.isEmpty else { return false }
    let folder = Self.components((self.path.map { ($0 as NSString).deletingLastPathComponent }) ?? ".")
    let components = Self.components(path)
    guard components.starts(with: folder) else { return false }
    let rest = Array(components.dropFirst(folder.count))
    return excluded.contains { $0.matches(rest) }
  }

  /// The paths of the exports of its containers, from the folder in which the program runs.
  package var exportPaths: [String] { containers.compactMap(\.schema).map(path) }

  /// The path of a bundle or an export that the file names, from the folder in which the program runs.
  func path(of bundle: String) -> String {
    let folder = path.map(BundlePath.parent) ?? "."
    return folder == "." || bundle.hasPrefix("/") ? bundle : BundlePath.joined(folder, bundle)
  }

  static func components(_ path: String) -> [String] {
    URL(fileURLWithPath: path.isEmpty ? "." : path).standardizedFileURL.pathComponents
  }
}

/// Bundles that the app merges into a single model, as a project names them.
public struct ConfiguredUnion: Hashable, Sendable {
  /// The paths of the bundles, from the folder of the file that names them.
  public let paths: [String]
  /// The location of the union in the file; nil for the command line.
  public let location: SourceLocation?

  /// Makes a union of bundles.
  public init(paths: [String], location: SourceLocation? = nil) { (self.paths, self.location) = (paths, location) }
}

/// A CloudKit container that mirrors models, as a project names it.
public struct ConfiguredContainer: Hashable, Sendable {
  /// The paths of the mirrored bundles, from the folder of the file that names them; empty for all bundles.
  public var bundles: [String] = []
  /// The path of the export, from the folder of the file that names it; nil if there is none.
  public var schema: String?
  /// The name of the exported environment: `production` or `development`.
  public var environment = "production"
  /// The mirrored configuration of the models; nil for complete models.
  public var configuration: String?
  /// True if the app shares records with other users.
  public var sharing = false
  /// The locations of the bundles in the file.
  var bundleLocations: [SourceLocation] = []
  var schemaLocation = SourceLocation(file: "", line: 1, column: 1)
  var configurationLocation = SourceLocation(file: "", line: 1, column: 1)

  /// Names a container that mirrors all bundles and has no export.
  public init() {}
}

/// A pattern of paths: `*` and `?` stand for characters of a single name, `**` for any number of folders.
public struct PathPattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let text: String
  private let parts: [[Character]]

  /// Takes a pattern; a slash at either end is ignored.
  public init(_ text: String) {
    self.text = text
    parts = text.split(separator: "/").filter { $0 != "." }.map(Array.init)
  }

  /// True for a path that matches, and for every path in a matching folder.
  ///
  /// - Parameter components: the components of the path, from the start of the pattern.
  /// - Returns: true if the path matches.
  public func matches(_ components: [String]) -> Bool {
    guard !parts.isEmpty else { return false }
    let names = components.map(Array.init)
    // reached[i] is true when the parts so far can stand for the first i names.
    var reached = [true] + Array(repeating: false, count: names.count)
    for part in parts {
      var next = Array(repeating: false, count: names.count + 1)
      if part == ["*", "*"] {
        var isOpen = false
        for position in next.indices {
          isOpen = isOpen || reached[position]
          next[position] = isOpen
        }
      } else {
        for (position, name) in names.enumerated() where reached[position] && Self.matches(part, name) {
          next[position + 1] = true
        }
      }
      reached = next
    }
    return reached.contains(true)
  }

  /// True if a name matches a part; the time grows with the product of their lengths.
  private static func matches(_ part: [Character], _ name: [Character]) -> Bool {
    var reached = [true] + Array(repeating: false, count: name.count)
    for character in part {
      var next = Array(repeating: false, count: name.count + 1)
      if character == "*" {
        var isOpen = false
        for position in next.indices {
          isOpen = isOpen || reached[position]
          next[position] = isOpen
        }
      } else {
        for (position, letter) in name.enumerated() where reached[position] && (character == "?" || character == letter)
        {
          next[position + 1] = true
        }
      }
      reached = next
    }
    return reached.last ?? false
  }
}
