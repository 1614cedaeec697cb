import ArgumentParser
import ModelKit

/// Checks models against the rules.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check every version of the models here against the model rules, each finding on its line.",
    discussion: """
      EXAMPLES
        modelctl check                            every bundle here
        modelctl check App/Model.xcdatamodeld --format json
      """)

  @Argument(help: "Models, or folders with bundles; this folder otherwise.")
  var paths: [String] = []

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var findings: [Finding] = []
    for file in try files() {
      for note in file.notes { Console.standardError("note: \(note)\n") }
      findings += ModelRule.check(file)
    }
    let report = FindingReport(findings)
    try output.write(text: report.text, document: report)
    if !findings.isEmpty { throw CommandExit.findings }
  }

  private func files() throws -> [ModelFile] {
    guard paths.isEmpty else {
      return try paths.flatMap { path -> [ModelFile] in
        if let bundle = try? ModelBundle(at: path) { return try bundle.versions.map { try $0.load() } }
        let found = ModelBundle.discover(under: path)
        guard found.isEmpty else { return try found.flatMap { try $0.versions.map { try $0.load() } } }
        return [try models.resolve(path).file]
      }
    }
    let bundles = try models.bundles()
    guard !bundles.isEmpty else { throw CommandError.noBundle(folder: models.model ?? ".") }
    return try bundles.flatMap { try $0.versions.map { try $0.load() } }
  }
}
