import Foundation
import PackagePlugin

/// Writes the types of a target's `.xcdatamodeld` bundles when the target is built: a file for each bundle, of its current
/// version.
@main
struct ModelctlTypes: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let tool = try context.tool(named: "modelctl").url
    return try bundles(in: target.directoryURL).map { bundle, files in
      let name = bundle.deletingPathExtension().lastPathComponent
      let output = context.pluginWorkDirectoryURL.appendingPathComponent("\(name)Types.swift")
      return .buildCommand(
        displayName: "Writing the types of \(bundle.lastPathComponent)", executable: tool,
        arguments: [
          "generate", "types", bundle.path, "--stored", "--overwrite", "--compiler-errors", "--output", output.path,
        ],
        inputFiles: files, outputFiles: [output])
    }
  }

  /// The bundles of a folder with their files, sorted; two of one name would write one file.
  private func bundles(in folder: URL) throws -> [(bundle: URL, files: [URL])] {
    var found: [(bundle: URL, files: [URL])] = []
    let contents = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let item = contents?.nextObject() as? URL {
      guard item.pathExtension == "xcdatamodeld" else { continue }
      contents?.skipDescendants()
      let files = FileManager.default.enumerator(at: item, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
      // The file that names the current version is hidden.
      found.append((item, files.filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }))
    }
    found.sort { $0.bundle.path < $1.bundle.path }
    var names: [String: URL] = [:]
    for (bundle, _) in found {
      let name = bundle.lastPathComponent.lowercased()
      if let other = names.updateValue(bundle, forKey: name) {
        throw TwoBundles(first: other.path, second: bundle.path)
      }
    }
    return found
  }
}

/// Two bundles of a target have one name.
struct TwoBundles: Error, CustomStringConvertible {
  let first: String
  let second: String

  /// Which they are, and what to do.
  var description: String { "\(first) and \(second) have one name; rename one, or move it to a target of its own" }
}
