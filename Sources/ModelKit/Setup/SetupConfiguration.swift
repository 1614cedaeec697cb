import Foundation
import ModelChecks
import ModelFiles

/// The configuration of a project that is set up: what it leaves out, or is to leave out.
struct SetupConfiguration {
  /// Folders in which package managers and Xcode put what is not the project's own.
  private static let foreignFolders: Set<String> = [
    "Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules",
  ]

  /// The bundles that are the project's own.
  let paths: [String]
  /// The file that is to be made, nil for none.
  let file: SetupFile?
  /// What is to be known.
  let notes: [String]

  /// Looks for bundles and for a configuration.
  ///
  /// - Parameters:
  ///   - configuration: what the project has decided.
  ///   - search: where its bundles are.
  ///   - top: the top of its repository, nil outside one.
  init(of configuration: CheckConfiguration, in search: ProjectSearch, top: String?) {
    let folder = search.project.path
    let found = search.files(under: folder).bundles
    let root = top ?? RealPath.of(folder)
    let foreign = found.compactMap { path in Self.foreignFolder(of: RealPath.of(path), below: root).map { (path, $0) } }
    let others = Set(foreign.map(\.0))
    paths = found.filter { !others.contains($0) }
    let patterns = Set(foreign.map { "\($0.1)/**" }).sorted()
    guard !patterns.isEmpty else {
      (file, notes) = (nil, [])
      return
    }
    let list = patterns.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let path = configuration.path else {
      let path = SetupPlace(folder: folder, top: top).path(CheckConfiguration.fileName)
      file = SetupFile(path: path, content: "{\n  \"exclude\": [\(list)]\n}\n", state: .new, advice: nil)
      notes = ["\(NameList.text(foreign.map(\.0))): not your project's own, so it is left out"]
      return
    }
    file = nil
    notes = ["\(path): its “exclude” lets in what is not your project's own; add \(list) to it"]
  }

  /// The folder that makes a path another project's, from the top; nil for the project's own and for names that a
  /// pattern or JSON would read otherwise.
  private static func foreignFolder(of path: String, below top: String) -> String? {
    let components = BundlePath.components(path)
    let base = BundlePath.components(top)
    guard components.starts(with: base) else { return nil }
    let rest = components.dropFirst(base.count)
    guard let position = rest.firstIndex(where: foreignFolders.contains) else { return nil }
    let folder = rest[...position].joined(separator: "/")
    return folder.contains(where: { "*\"\\".contains($0) || $0.isNewline }) ? nil : folder
  }
}
