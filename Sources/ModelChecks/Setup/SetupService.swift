/// What can ask for a check of the models, or read and merge them, besides people.
public enum SetupService: String, Hashable, Sendable, CaseIterable {
  /// GitHub Actions.
  case github
  /// GitLab's pipelines.
  case gitlab
  /// The program pre-commit.
  case preCommit = "pre-commit"
  /// The drivers of git for differences and merges.
  case git

  /// The file that it reads, from the top of the repository.
  public var path: String {
    switch self {
    case .github: ".github/workflows/models.yml"
    case .gitlab: ".gitlab-ci.yml"
    case .preCommit: ".pre-commit-config.yaml"
    case .git: ".gitattributes"
    }
  }

  /// The file that is written where ``path`` is taken and can include others; nil where it cannot.
  var includedPath: String? { self == .gitlab ? ".gitlab/modelctl.yml" : nil }

  /// What a file has that uses modelctl already.
  var mark: String { self == .git ? "diff=modelctl" : "modelctl" }

  var template: String {
    switch self {
    case .github: SetupTemplate.github
    case .gitlab: SetupTemplate.gitlab
    case .preCommit: SetupTemplate.preCommit
    case .git: SetupTemplate.gitAttributes
    }
  }

  /// The keys of git's configuration with their values, which each clone has for itself.
  var settings: [(key: String, value: String)] {
    guard self == .git else { return [] }
    return [
      ("diff.modelctl.textconv", "modelctl show --textconv"),
      ("merge.modelctl.driver", "modelctl merge %O %A %B --path %P"),
    ]
  }
}
