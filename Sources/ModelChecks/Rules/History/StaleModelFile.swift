import ModelDescription
import ModelFiles

extension Rule {
  static let staleModelFile = Rule(
    id: "stale-model-file",
    severity: .warning,
    purpose: "A built app must contain each compiled model only once.",
    explanation: """
      A build folder can keep files of earlier builds, such as the .mom of a removed version, or of a model that now \
      has versions. If your app merges all models in its bundle, it gets two entities with the same name. If your app \
      loads a model by name, it gets either file. Delete the file, clean the build folder, and build your app again.
      """,
    project: { project in
      let compiled = project.bundles.map(\.bundle).filter { !$0.form.isEditable }
      let used = Set(ModelBundle.withoutStale(compiled.map(\.path)))
      let left = compiled.filter { !used.contains($0.path) }.map { bundle in
        let name = BundlePath.lastComponent(bundle.path)
        return finding(bundle.path, "\(name) is left from an earlier build: \(name)d has its model")
      }
      let unnamed = compiled.flatMap { bundle in
        guard let hashes = bundle.versionInfo?.hashes, !hashes.isEmpty else { return [RuleFinding]() }
        return bundle.versions.filter { hashes[$0.name] == nil }.map {
          finding($0.filePath, "“\($0.name)” is left from an earlier build: VersionInfo.plist does not name it")
        }
      }
      return left + unnamed + repetitions(of: compiled.filter { used.contains($0.path) })
    })

  private static func finding(_ path: String, _ message: String, fix: Advice? = nil) -> RuleFinding {
    // The file has no lines to show.
    RuleFinding(
      .model, message, fix: fix ?? "delete it: \(run: "rm", ShellWord.argument(path))",
      at: SourceLocation(file: BundlePath.parent(path), line: 1, column: 1))
  }

  /// The findings about models of the same name in an app or framework, except the first.
  private static func repetitions(of bundles: [ModelBundle]) -> [RuleFinding] {
    let held = bundles.compactMap { bundle in container(of: bundle.path).map { (container: $0, bundle: bundle) } }
    return Dictionary(grouping: held) { [$0.container, $0.bundle.name] }.values.flatMap { group in
      let sorted = group.sorted { $0.bundle.path < $1.bundle.path }
      return sorted.dropFirst().map { container, bundle in
        finding(
          bundle.path, "\(container) has two models named \(bundle.name): \(bundle.path) and \(sorted[0].bundle.path)",
          fix: "keep a single model")
      }
    }
  }

  /// The app, framework or other bundle of code that a file is part of.
  private static func container(of path: String) -> String? {
    var folder = BundlePath.parent(path)
    while folder != ".", folder != "/" {
      if ["app", "appex", "bundle", "framework", "xctest"].contains(BundlePath.pathExtension(folder)) { return folder }
      folder = BundlePath.parent(folder)
    }
    return nil
  }
}
