/// A service that checks, shows or merges models automatically.
public enum SetupService: String, Hashable, Sendable, CaseIterable {
  /// GitHub Actions.
  case github
  /// GitLab's pipelines.
  case gitlab
  /// The program pre-commit.
  case preCommit = "pre-commit"
  /// The drivers of git for differences and merges.
  case git
  /// Coding agents, which read a file of instructions.
  case agents

  /// The file that it reads, from the top of the repository.
  public var path: String {
    switch self {
    case .github: ".github/workflows/models.yml"
    case .gitlab: ".gitlab-ci.yml"
    case .preCommit: ".pre-commit-config.yaml"
    case .git: ".gitattributes"
    case .agents: "AGENTS.md"
    }
  }

  /// The file to write if ``path`` exists and can include other files; nil if it cannot.
  var includedPath: String? { self == .gitlab ? ".gitlab/modelctl.yml" : nil }

  /// The text that shows that a file already uses modelctl.
  var mark: String {
    switch self {
    case .git: "diff=modelctl"
    case .agents: SetupTemplate.agentsMark
    default: "modelctl"
    }
  }

  /// The file of a program with its own name for ``path``; it gets the same section if it exists.
  var secondPath: String? { self == .agents ? "CLAUDE.md" : nil }

  var template: String {
    switch self {
    case .github: SetupTemplate.github
    case .gitlab: SetupTemplate.gitlab
    case .preCommit: SetupTemplate.preCommit
    case .git: SetupTemplate.gitAttributes
    case .agents: SetupTemplate.agents
    }
  }

  /// The keys of git's configuration and their values; each clone has its own.
  var settings: [(key: String, value: String)] {
    guard self == .git else { return [] }
    return [
      ("diff.modelctl.textconv", "modelctl show --textconv --"),
      ("merge.modelctl.driver", "modelctl merge %O %A %B --path=%P"),
    ]
  }
}

/// The files that a project gets, as `docs/ci` has them.
enum SetupTemplate {
  /// The workflow of GitHub Actions.
  static let github = """
    # .github/workflows/models.yml: checks the Core Data models. OWNER is the account that your copy of modelctl belongs to.
    name: Core Data models
    on:
      pull_request:
      push:
        branches: [main]
        tags: ['*'] # release tags; the check fails unless modelctl lock has recorded the current version

    permissions:
      contents: read
      security-events: write # for code scanning; remove it together with the last step

    jobs:
      check:
        runs-on: ubuntu-latest
        container: swift:6.2
        steps:
          - uses: actions/checkout@v4
          - uses: OWNER/modelctl@main
            with:
              release: ${{ github.ref_type == 'tag' }}
              sarif-file: modelctl.sarif
          - uses: github/codeql-action/upload-sarif@v3
            if: always() && hashFiles('modelctl.sarif') != ''
            with:
              sarif_file: modelctl.sarif

    """

  /// The job of GitLab.
  static let gitlab = """
    # .gitlab-ci.yml, or a file that it includes: checks the Core Data models. MODELCTL_REPOSITORY is your copy of modelctl.
    modelctl:
      stage: test # a stage of your pipeline
      image: swift:6.2
      rules:
        - if: $CI_PIPELINE_SOURCE == "merge_request_event"
        - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
        - if: $CI_COMMIT_TAG # release tags; the check fails unless modelctl lock has recorded the current version
      variables:
        MODELCTL_REPOSITORY: https://gitlab.example.com/OWNER/modelctl.git
        MODELCTL_REVISION: main
        MODELCTL_FOLDER: $CI_PROJECT_DIR/.modelctl
        MODELCTL_JUNIT: modelctl-junit.xml
        MODELCTL_GITLAB: modelctl-code-quality.json
      cache:
        key: modelctl-$MODELCTL_REVISION
        paths: [.modelctl]
      before_script:
        - git clone --quiet --depth 1 --branch "$MODELCTL_REVISION" "$MODELCTL_REPOSITORY" /tmp/modelctl
        - export PATH="$(/tmp/modelctl/scripts/ci/install):$PATH"
      script:
        - if [ -n "${CI_COMMIT_TAG:-}" ]; then export MODELCTL_RELEASE=true; fi
        - export MODELCTL_BASE="${CI_MERGE_REQUEST_DIFF_BASE_SHA:-${CI_COMMIT_BEFORE_SHA:-}}"
        - /tmp/modelctl/scripts/ci/check
      artifacts:
        when: always
        paths: [modelctl-junit.xml, modelctl-code-quality.json]
        reports:
          junit: modelctl-junit.xml
          codequality: modelctl-code-quality.json

    """

  static let preCommit = """
    # .pre-commit-config.yaml: checks the Core Data models before a commit. OWNER is the account of your copy of modelctl.
    repos:
      - repo: https://github.com/OWNER/modelctl
        rev: main # prefer a tag or a commit of modelctl
        hooks:
          - id: modelctl-check

    """

  /// The attributes for git to show and merge models with modelctl.
  static let gitAttributes = """
    # .gitattributes: in clones in which you ran modelctl init --git, git uses modelctl to show and merge Core Data models.
    **/*.xcdatamodel/contents diff=modelctl merge=modelctl
    *.lock.json merge=modelctl

    """

  /// The first line of the section for coding agents.
  static let agentsMark = "<!-- modelctl: begin -->"

  /// The section for coding agents.
  static let agents = """
    \(agentsMark)
    ## Core Data models

    modelctl guards the Core Data models (`.xcdatamodeld`) of this project. If you change a model, follow these rules:

    - Never edit a released version. The lock file next to the bundle (`*.lock.json`) lists the released versions. After such
      an edit, the app cannot open the stores of its users.
    - To change the model, add a version with `modelctl new-version`. Then edit the new version.
    - After each change, run `modelctl check --format json`. Exit code 0 means no findings, 1 findings, and 2 that modelctl
      could not check. A finding has a `fix` in words, and `commands` as lists of arguments.
    - To see the changes and the migration paths, run `modelctl diff OLD NEW` and `modelctl matrix`.
    - Never edit a lock file by hand. Run `modelctl lock` only if a person asks you to record a release.
    - Never add `--allow-data-loss` unless a person has allowed this loss by its name.
    <!-- modelctl: end -->

    """
}
