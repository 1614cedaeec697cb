import Foundation
import ModelDescription
import ModelFiles

/// What arguments name: paths that bundles are looked for under, and models by themselves.
struct CheckedPaths {
  /// The paths of bundles and of folders with bundles.
  private(set) var paths: [String]
  /// The models by themselves.
  private(set) var models: [ModelFile] = []
  private var failures: [(argument: String, error: any Error)] = []

  /// The first folder without a bundle, where everything here is meant; nil where there is a bundle.
  private(set) var emptyFolder: String?

  private init(under folders: [String], emptyFolder: String? = nil) {
    (paths, self.emptyFolder) = (folders, emptyFolder)
  }

  /// Takes arguments apart, as paths from this folder; one that cannot be read does not hide the others.
  ///
  /// What lies in a bundle, and a version of one, stands for the bundle: by itself it would have no history.
  ///
  /// - Parameters:
  ///   - arguments: the arguments; everything here when there are none.
  ///   - workspace: where names are looked up.
  ///   - search: where bundles are looked for.
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

  /// The same with the places at which arguments name no model, where bundles may have been: folders, and what would be
  /// in a repository of git.
  ///
  /// - Parameters:
  ///   - foldersOnly: whether folders alone are taken, as where the base is a folder, which has no such names.
  ///   - isRevision: whether the base is a revision, which is of one repository: that of the first path.
  func withEmptyPlaces(foldersOnly: Bool, isRevision: Bool) -> CheckedPaths {
    var everywhere = self
    let places = failures.map(\.argument).filter { place in
      Self.isFolder(place) ?? (!foldersOnly && ProjectFolder.enclosing(place).isRepository)
    }
    guard let first = (paths + places).first.map(ProjectFolder.enclosing) else { return self }
    everywhere.paths += places.filter { !isRevision || ProjectFolder.enclosing($0).isSame(as: first) }
    return everywhere
  }

  /// The errors of the arguments that cannot be read, but for those at whose places bundles were.
  ///
  /// - Returns: the errors, in the order of the arguments.
  func errors(besides gone: [String]) -> [any Error] {
    let bundles = gone.map(AbsolutePath.components)
    return failures.filter { failure in
      let place = AbsolutePath.components(failure.argument)
      return !bundles.contains { $0.starts(with: place) }
    }.map(\.error)
  }

  /// Whether a folder or a file is there, nil for neither.
  private static func isFolder(_ path: String) -> Bool? {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
  }

  private static func place(_ path: String) -> String { EnclosingBundle.path(of: path) ?? RelativePath.text(path) }
}

/// The bundle around a path, so that a part of a bundle is checked as what it is a part of.
private enum EnclosingBundle {
  /// Finds the outermost bundle of the editor that a path is, or lies in.
  ///
  /// - Parameter folder: the absolute path of the folder to start from.
  /// - Returns: the bundle's path from the folder, ending in the bundle's name; nil for a path that is in none.
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
  /// Writes a path, or what may stand for one such as `Orders@v2` and `REV:path`.
  ///
  /// - Parameter folder: the absolute path of the folder to start from.
  /// - Returns: a relative path to the same place.
  package static func text(_ path: String, from folder: String = FileManager.default.currentDirectoryPath) -> String {
    let parts = BundlePath.components(path).filter { $0 != "." }
    guard path.hasPrefix("/"), !parts.contains("..") else { return parts.isEmpty ? path : parts.joined(separator: "/") }
    let base = BundlePath.components(folder)
    let shared = zip(parts, base).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: base.count - shared) + parts.dropFirst(shared)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
