/// A log in the Static Analysis Results Interchange Format, version 2.1.0, which code scanning services read.
///
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
public struct SARIFLog: Encodable, Hashable, Sendable {
  private let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
  private let version = "2.1.0"
  private let runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  /// Creates a log of a run.
  public init(_ run: RuleRun, toolVersion: String) { runs = [Run(run, toolVersion: toolVersion)] }
}

// The members are those of the standard, by its names.
extension SARIFLog {
  struct Message: Encodable, Hashable {
    let text: String
  }

  struct Run: Encodable, Hashable {
    let tool: Tool
    let invocations: [Invocation]
    let originalUriBaseIds: [String: ArtifactLocation]
    /// Our columns count Unicode scalars.
    let columnKind = "unicodeCodePoints"
    let results: [Result]

    private enum CodingKeys: CodingKey {
      case tool, invocations, originalUriBaseIds, columnKind, results
    }
  }

  struct Tool: Encodable, Hashable {
    let driver: Driver
  }

  struct Driver: Encodable, Hashable {
    let name: String
    let semanticVersion: String
    let rules: [Rule]
  }

  struct Rule: Encodable, Hashable {
    let id: String
    let shortDescription: Message
    let fullDescription: Message
    let help: Message
    let defaultConfiguration: Configuration
  }

  struct Configuration: Encodable, Hashable {
    let level: String
  }

  struct Invocation: Encodable, Hashable {
    let executionSuccessful: Bool
    let toolExecutionNotifications: [Notification]
  }

  struct Notification: Encodable, Hashable {
    let level: String
    let message: Message
  }

  struct Result: Encodable, Hashable {
    let ruleId: String
    /// Nil for a rule that is not one of the run's rules.
    let ruleIndex: Int?
    let level: String
    let message: Message
    let locations: [Location]
    let partialFingerprints: [String: String]
  }

  struct Location: Encodable, Hashable {
    let physicalLocation: PhysicalLocation?
    let logicalLocations: [LogicalLocation]
  }

  struct PhysicalLocation: Encodable, Hashable {
    let artifactLocation: ArtifactLocation
    let region: Region
    let contextRegion: Region?
  }

  struct ArtifactLocation: Encodable, Hashable {
    var uri: String?
    var uriBaseId: String?
    var description: Message?
  }

  struct Region: Encodable, Hashable {
    let startLine: Int
    var startColumn: Int?
    var snippet: Message?
  }

  struct LogicalLocation: Encodable, Hashable {
    let fullyQualifiedName: String
  }
}
