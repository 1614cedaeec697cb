import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension Rule {
  static let mappingFileOnly = Rule(
    id: "mapping-file-only",
    severity: .note,
    purpose: "It is known where only modelctl can migrate, because Core Data does not read the mapping file.",
    explanation: """
      Core Data reads the mapping models that Xcode compiles into the app, and no mapping file in Migrations. An app that \
      opens such a store by itself has its mapping inferred, or fails. Have modelctl migrate these stores; or make a \
      mapping model in Xcode that says the same. The note ends when the version is released.
      """
  ) { (history: BundleHistory) in
    guard let current = history.current else { return [] }
    var versions: [String: [String]] = [:]
    let older = history.matrix.verdicts(to: current)
      .filter { history.isOlder($0.source.name, than: current.name) }
    for verdict in older {
      // Of a step that users have taken it was decided how.
      for step in verdict.steps {
        guard let path = step.mappingPath, MappingPath.form(of: path) == .document,
          history.canChange(step.destination.name)
        else { continue }
        versions[path, default: []].append(verdict.source.name)
      }
    }
    return versions.sorted { $0.key < $1.key }.map { path, names in
      RuleFinding(
        .model,
        "stores of \(VersionList(names).text) reach \(current.name) through this mapping file, which Core Data does not read",
        fix: "migrate them with modelctl, or make a mapping model in Xcode too",
        at: history.start(ofMapping: path))
    }
  }
}
