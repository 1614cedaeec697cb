import Foundation
import ModelChecks
import ModelDescription
import ModelFiles

extension SARIFLog.Run {
  private static let root = "%SRCROOT%"
  private static let fingerprint = "modelctlFinding/v1"

  init(_ run: RuleRun, toolVersion: String) {
    let positions = Dictionary(run.rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
    tool = SARIFLog.Tool(
      driver: SARIFLog.Driver(
        name: "modelctl", semanticVersion: toolVersion, rules: run.rules.map(SARIFLog.Rule.init)))
    invocations = [
      SARIFLog.Invocation(
        executionSuccessful: run.failures.isEmpty,
        toolExecutionNotifications: run.failures.map {
          SARIFLog.Notification(level: "error", message: SARIFLog.Message(text: $0))
        }
          + run.unproved.map {
            SARIFLog.Notification(level: "warning", message: SARIFLog.Message(text: $0.text))
          })
    ]
    originalUriBaseIds = [
      Self.root: SARIFLog.ArtifactLocation(
        description: SARIFLog.Message(text: "The folder that modelctl ran in, usually the root of the repository."))
    ]
    results = zip(run.findings, FindingFingerprint.fingerprints(of: run.findings)).map { finding, fingerprint in
      SARIFLog.Result(
        ruleId: finding.rule, ruleIndex: positions[finding.rule], level: finding.severity.rawValue,
        message: SARIFLog.Message(text: finding.message + (finding.fix.map { ".\nFix: \($0.text)" } ?? ".")),
        locations: [
          SARIFLog.Location(
            physicalLocation: finding.location.map { Self.physicalLocation($0, run.sourceLines[$0]) },
            logicalLocations: [SARIFLog.LogicalLocation(fullyQualifiedName: finding.element.description)])
        ],
        partialFingerprints: [Self.fingerprint: fingerprint])
    }
  }

  private static func physicalLocation(_ location: SourceLocation, _ line: String?) -> SARIFLog.PhysicalLocation {
    SARIFLog.PhysicalLocation(
      artifactLocation: artifactLocation(location.file),
      region: SARIFLog.Region(startLine: location.line, startColumn: location.column),
      contextRegion: line.map {
        SARIFLog.Region(startLine: location.line, snippet: SARIFLog.Message(text: $0))
      })
  }

  /// A path as a URI: every byte that is not plain in all URIs is written as `%XX`.
  private static func artifactLocation(_ path: String) -> SARIFLog.ArtifactLocation {
    var plain = CharacterSet(charactersIn: "-._~/")
    plain.insert(charactersIn: "0"..."9")
    plain.insert(charactersIn: "A"..."Z")
    plain.insert(charactersIn: "a"..."z")
    let uri = path.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    return path.hasPrefix("/")
      ? SARIFLog.ArtifactLocation(uri: "file://\(uri)") : SARIFLog.ArtifactLocation(uri: uri, uriBaseId: root)
  }
}

extension SARIFLog.Rule {
  init(_ rule: RuleDescription) {
    self.init(
      id: rule.id, shortDescription: SARIFLog.Message(text: rule.purpose),
      fullDescription: SARIFLog.Message(text: rule.explanation ?? rule.purpose),
      help: SARIFLog.Message(
        text: "\(rule.explanation ?? rule.purpose)\nThe rule's page is \(rule.helpPath) in modelctl's repository."),
      defaultConfiguration: SARIFLog.Configuration(level: rule.severity.rawValue))
  }
}
