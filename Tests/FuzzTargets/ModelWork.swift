import MappingModels
import ModelChecks
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
import Reports
import StoreMigration
import VersionHashing

/// Runs `show`, `diagram`, `hash`, `diff`, `check`, `mapping new` and `create` with a model.
enum ModelWork {
  static func run(_ file: ModelFile) throws {
    let model = ModelReport(name: "fuzzed", model: file.model)
    _ = PrintableText.escaped(model.text + model.briefText) + (try JSONText.encode(model))
    _ = CompleteModelText(file.model).text
    _ = file.notes.map { "\($0)" }
    let findings = Rule.check(file)
    _ = FindingReport(findings).text
    _ = try JSONText.encode(FindingReport(findings))
    let version = try LoadedVersion(bundle: "Fuzzed.xcdatamodeld", name: "v", isCurrent: true, model: file.model)
    let report = HashReport(model: "fuzzed", hashes: version.versionHashes)
    _ = try report.text + JSONText.encode(report)
    try layout(version)
    try difference(version, version)
    let difference = ModelDifference(from: version.hierarchy, to: version.hierarchy)
    try FuzzFinding.expect(difference.changes.isEmpty, "a model differs from itself")
    let sample = try FuzzSamples.order(0)
    try self.difference(version, sample)
    try self.difference(sample, version)
  }

  private static func layout(_ version: LoadedVersion) throws {
    let layout = SQLStoreLayout(of: version.hierarchy)
    _ = layout.tables.map(\.createStatement) + layout.indexes.map(\.createStatement)
    _ = layout.warnings.map { "\($0)" }
  }

  private static func difference(_ former: LoadedVersion, _ latter: LoadedVersion) throws {
    let step = ModelStep(from: former.hierarchy, to: latter.hierarchy)
    let report = DifferenceReport(from: "former", to: "latter", step)
    _ = try report.text + report.plainText + JSONText.encode(report)
    let diagram = Diagram(from: "former", to: "latter", step)
    _ = MermaidDiagram(diagram).text + DOTDiagram(diagram).text + DBMLDiagram(diagram).text
    _ = DiagramPage(diagram, report: report, picture: .missing(CaughtError(CancellationError()))).text
    _ = MappingFileWriter.template(
      from: former.hierarchy, to: latter.hierarchy, sourceVersion: former.name, destinationVersion: latter.name)
    guard case .inferred(let mapping) = step.outcome else { return }
    _ = try PathPartForecast(of: PathPart([], from: former, to: latter, by: mapping))
  }
}
