import Foundation
public import MappingModels
public import ModelFiles
public import StoreMigration

/// What a project has decided about its checks, in `.modelctl.json`.
public struct CheckConfiguration: Hashable, Sendable {
  /// How much the findings of a rule matter to the project.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// They are not looked for.
    case off
    /// They are reported and fail nothing.
    case note
    /// They fail the check.
    case warning
    /// They fail the check.
    case error

    /// The severity of findings, nil when there are none.
    public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
  }

  /// The name of the file.
  public static let fileName = ProjectFolder.configurationName

  /// The file, nil when there is none.
  public var path: String?
  /// The levels of the rules that are not to have their own.
  public var levels: [String: Level]
  /// The paths that are left out, from the file's folder.
  public var excluded: [PathPattern]
  /// The tags at which every version that existed was released, as a pattern of git.
  public var releasedTags: String?
  /// The bundles that the app merges into one model, which must go on fitting together.
  public var unions: [ConfiguredUnion]
  /// Who migrates the stores of users; nil where the file does not say so.
  public var migratedBy: MigrationReader?
  /// The replacements of policy classes that only the app has.
  public var policies: PolicyReplacements

  /// Makes a configuration; without arguments nothing differs from what the rules say.
  public init(
    path: String? = nil, levels: [String: Level] = [:], excluded: [PathPattern] = [], releasedTags: String? = nil,
    unions: [ConfiguredUnion] = [], migratedBy: MigrationReader? = nil, policies: PolicyReplacements = .init()
  ) {
    (self.path, self.levels, self.excluded, self.releasedTags) = (path, levels, excluded, releasedTags)
    (self.unions, self.migratedBy, self.policies) = (unions, migratedBy, policies)
  }

  /// Who migrates the stores of users: Core Data, unless the file says otherwise.
  public var reader: MigrationReader { migratedBy ?? .coreData }

  /// True unless the rule is off.
  public func isOn(_ rule: Rule) -> Bool { levels[rule.id] != .off }

  /// True for a path that the project leaves out.
  public func excludes(_ path: String) -> Bool {
    guard !excluded.isEmpty else { return false }
    let folder = Self.components((self.path.map { ($0 as NSString).deletingLastPathComponent }) ?? ".")
    let components = Self.components(path)
    guard components.starts(with: folder) else { return false }
    let rest = Array(components.dropFirst(folder.count))
    return excluded.contains { $0.matches(rest) }
  }

  /// The path of a bundle that the file names, from where the command runs.
  func path(of bundle: String) -> String {
    let folder = path.map(BundlePath.parent) ?? "."
    return folder == "." || bundle.hasPrefix("/") ? bundle : BundlePath.joined(folder, bundle)
  }

  static func components(_ path: String) -> [String] {
    URL(fileURLWithPath: path.isEmpty ? "." : path).standardizedFileURL.pathComponents
  }
}

/// Bundles that the app merges into one model, as a project names them.
public struct ConfiguredUnion: Hashable, Sendable {
  /// The paths of the bundles, from the folder of the file that names them.
  public let paths: [String]
  /// Where they are named, nil for the command line.
  public let location: SourceLocation?

  /// Makes a union of bundles.
  public init(paths: [String], location: SourceLocation? = nil) { (self.paths, self.location) = (paths, location) }
}

/// A pattern of paths: `*` and `?` stand for characters of one name, `**` for any number of folders.
public struct PathPattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let text: String
  private let parts: [[Character]]

  /// Takes a pattern; a slash at either end says nothing.
  public init(_ text: String) {
    self.text = text
    parts = text.split(separator: "/").filter { $0 != "." }.map(Array.init)
  }

  /// True for a path that fits, and for everything in a folder that fits.
  ///
  /// - Parameter components: the path's components, from where the pattern begins.
  /// - Returns: false where it does not.
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

  /// Whether one name fits one part; the time grows with the product of their lengths only.
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
