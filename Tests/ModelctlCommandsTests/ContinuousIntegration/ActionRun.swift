import Foundation
import TestSupport

/// A run of the action's steps, with the files and the environment that GitHub gives them.
struct ActionRun {
  /// The output of the last step.
  private(set) var result = Modelctl.Result(status: 0, standardOutput: "", standardError: "")
  /// The names of the steps that ran.
  private(set) var steps: [String] = []
  /// The action's outputs.
  private(set) var outputs: [String: String] = [:]
  /// The text of the run's summary page.
  private(set) var summary = ""

  /// The repository that holds the action: this one.
  static let repository = Transcript.project

  /// Runs the steps in order, up to the first that fails.
  ///
  /// A step of another action is passed over.
  ///
  /// - Parameters:
  ///   - workspace: the checkout of the repository that is checked.
  ///   - inputs: the inputs that the workflow gives.
  ///   - event: what the expressions of the action find in `github.`, without that word.
  ///   - path: PATH before the first step; that of the tests, with `modelctl` on it, when nil.
  /// - Throws: when a step's shell cannot be started, not when it fails.
  init(
    in workspace: SampleFolder, inputs: [String: String] = [:], event: [String: String] = [:], path: String? = nil
  ) throws {
    let file = try ActionFile(
      String(decoding: Data(contentsOf: Self.repository.appendingPathComponent("action.yml")), as: UTF8.self))
    let folder = try TemporaryFolder()
    var context = Dictionary(uniqueKeysWithValues: event.map { ("github.\($0)", $1) })
    for (name, value) in file.inputs.merging(inputs, uniquingKeysWith: { $1 }) { context["inputs.\(name)"] = value }
    var path = path
    for step in file.steps where step.uses.isEmpty {
      guard step.condition.isEmpty || !WorkflowExpression(context: context).evaluate(step.condition).isEmpty else {
        continue
      }
      var environment = step.environment.mapValues(WorkflowExpression(context: context).expand)
      environment["PATH"] = path
      let files = ["GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"]
      for name in files {
        environment[name] = folder.path("\(steps.count)-\(name)")
        try Data().write(to: URL(fileURLWithPath: folder.path("\(steps.count)-\(name)")))
      }
      environment["GITHUB_ACTION_PATH"] = Self.repository.path
      environment["GITHUB_WORKSPACE"] = workspace.url.path
      environment["RUNNER_TEMP"] = folder.url.path
      result = try Modelctl.shell("set -e\n" + step.script, environment: environment, in: workspace)
      let texts = try files.map { try String(contentsOfFile: folder.path("\(steps.count)-\($0)"), encoding: .utf8) }
      for line in texts[0].split(separator: "\n") {
        let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        context["steps.\(step.id).outputs.\(sides[0])"] = sides.last
      }
      for added in texts[1].split(separator: "\n") { path = "\(added):\(path ?? "/usr/bin:/bin")" }
      summary += texts[2]
      steps.append(step.name)
      if result.status != 0 { break }
    }
    outputs = file.outputs.mapValues(WorkflowExpression(context: context).expand)
  }
}
