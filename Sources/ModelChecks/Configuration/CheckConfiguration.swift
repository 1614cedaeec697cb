import Foundation
public import ModelFiles

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

  /// Makes a configuration; without arguments nothing differs from what the rules say.
  public init(
    path: String? = nil, levels: [String: Level] = [:], excluded: [PathPattern] = [], releasedTags: String? = nil,
    unions: [ConfiguredUnion] = []
  ) {
    self.path = path
    self.levels = levels
    self.excluded = excluded
    self.releasedTags = releasedTags
    self.unions = unions
  }

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
  public init(paths: [String], location: SourceLocation? = nil) {
    (self.paths, self.location) = (paths, location)
  }
}
