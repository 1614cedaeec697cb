import Foundation
import ModelDescription
import ModelFiles

/// The paths and models that arguments name.
struct CheckedPaths {
  /// The paths of bundles and of folders with bundles.
  private(set) var paths: [String]
  /// The models by themselves.
  private(set) var models: [ModelFile] = []
  private var failures: [(argument: String, error: any Error)] = []

  /// The first folder without a bundle, if no arguments were given; nil if there is a bundle.
  private(set) var emptyFolder: String?

  private init(under folders: [String], emptyFolder: String? = nil) {
    (paths, self.emptyFolder) = (folders, emptyFolder)
  }

  /// Resolves arguments to paths from the current folder; the other arguments are resolved even if one cannot be read.
  ///
  /// A path inside a bundle, or a version of it, means the complete bundle, because only the bundle has a history.
  ///
  /// - Parameters:
  ///   - arguments: the arguments; none for the complete workspace.
  ///   - workspace: the workspace to search for names.
  ///   - search: the search for bundles.
  static func resolve(_ arguments: [String], _ workspace: Workspace, _ search: ProjectSearch) throws -> CheckedPaths {
    guard !arguments.isEmpty else {
      let starts = workspace.paths.isEmpty ? [search.project.path] : workspace.paths.map(place)
      return CheckedPaths(under: starts, emptyFolder: starts.first { search.allFiles(under: $0).bundles.isEmpty })
    }
    var checked = CheckedPaths(under: [])
    for name in arguments {
      let isFolder = Workspace.isPlainFolder(name)
      let bundle = try isFolder ? workspace.bundlePath(called: name) : nil
      let argument = place(bundle ?? name)
      if isFolder, bundle == nil, try workspace.isName(name) {
        let file = try workspace.model(name).file
        checked.paths.append(EnclosingBundle.path(of: file.path) ?? file.path)
        continue
      }
      guard search.allFiles(under: argument).bundles.isEmpty else {
        checked.paths.append(argument)
        continue
      }
      do {
        let file = try workspace.model(argument).file
        if let bundle = EnclosingBundle.path(of: file.path) {
          checked.paths.append(bundle)
        } else {
          checked.models.append(file)
        }
      } catch {
        checked.failures.append((argument, error))
      }
    }
    return checked
  }

  /// The paths, with the arguments that name no model but may have had bundles before: folders, and paths in a git
  /// repository.
  ///
  /// - Parameters:
  ///   - foldersOnly: whether to use only folders, because the base is a folder.
  ///   - isRevision: whether the base is a revision, which belongs to the repository of the first path.
  func withEmptyPlaces(foldersOnly: Bool, isRevision: Bool) -> CheckedPaths {
    var everywhere = self
    let places = failures.map(\.argument).filter { place in
      Self.isFolder(place) ?? (!foldersOnly && ProjectFolder.enclosing(place).isRepository)
    }
    guard let first = (paths + places).first.map(ProjectFolder.enclosing) else { return self }
    everywhere.paths += places.filter { !isRevision || ProjectFolder.enclosing($0).isSame(as: first) }
    return everywhere
  }

  /// The errors of the arguments that cannot be read, except at the given locations of deleted bundles.
  ///
  /// - Returns: the errors, in the order of the arguments.
  func errors(besides gone: [String]) -> [any Error] {
    let bundles = gone.map(AbsolutePath.components)
    return failures.filter { failure in
      let place = AbsolutePath.components(failure.argument)
      return !bundles.contains { $0.starts(with: place) }
    }.map(\.error)
  }

  /// Whether a path is a folder; nil if it does not exist.
  private static func isFolder(_ path: String) -> Bool? {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
  }

  private static func place(_ path: String) -> String { EnclosingBundle.path(of: path) ?? RelativePath.text(path) }
}

/// The bundle that contains a path.
private enum EnclosingBundle {
  /// Finds the outermost source bundle that a path is in.
  ///
  /// - Parameter folder: the absolute path of the folder to start from.
  /// - Returns: the path from the folder to the bundle; nil if the path is not in a bundle.
  static func path(of path: String, from folder: String = FileManager.default.currentDirectoryPath) -> String? {
    let base = URL(fileURLWithPath: folder, isDirectory: true)
    let start = URL(fileURLWithPath: path, relativeTo: base)
    let parts = start.standardizedFileURL.path.split(separator: "/").map(String.init)
    guard let end = parts.firstIndex(where: { isBundleName($0) }) else { return nil }
    let bundle = "/" + parts[...end].joined(separator: "/")
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: bundle, isDirectory: &isFolder), isFolder.boolValue else { return nil }
    if let around = BundleLink.bundle(around: bundle) { return Self.path(of: around, from: folder) }
    // Both in the standard form, from which macOS leaves `/private` out.
    let parent = RelativePath.text("/" + parts[..<end].joined(separator: "/"), from: base.standardizedFileURL.path)
    return parent == "." ? parts[end] : "\(parent)/\(parts[end])"
  }

  private static func isBundleName(_ name: String) -> Bool {
    [ModelBundle.Form.versioned, .single].contains { form in
      name.count > form.rawValue.count + 1 && name.lowercased().hasSuffix(".\(form.rawValue)")
    }
  }
}

/// Paths as services that show findings want them: from this folder, without a leading `./`.
package enum RelativePath {
  /// Formats a path, or an argument in its place, such as `Orders@v2` or `REV:path`.
  ///
  /// - Parameter folder: the absolute path of the folder to start from.
  /// - Returns: a relative path to the same file.
  package static func text(_ path: String, from folder: String = FileManager.default.currentDirectoryPath) -> String {
    let parts = BundlePath.components(path).filter { $0 != "." }
    guard path.hasPrefix("/"), !parts.contains("..") else { return parts.isEmpty ? path : parts.joined(separator: "/") }
    let base = BundlePath.components(folder)
    let shared = zip(parts, base).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: base.count - shared) + parts.dropFirst(shared)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
