import Foundation
import ModelKit

/// The questions of `init` on a terminal.
struct SetupQuestions {
  /// Asks which services a project uses, except for services that the project already uses.
  func services(_ request: ProjectSetup.Request) throws -> [SetupService] {
    let isRepository = (try? GitWorkTree.read(around: request.folder)) != nil
    let hasInstructions = ["AGENTS.md", "CLAUDE.md"].contains { name in
      FileManager.default.fileExists(atPath: BundlePath.joined(request.folder, name))
    }
    let fitting = SetupService.allCases.filter { service in
      switch service {
      case .git: isRepository
      case .agents: hasInstructions
      case .github, .gitlab, .preCommit: true
      }
    }
    return fitting.filter { isYes(question($0), byDefault: false) }
  }

  /// Asks who migrates the stores of users, or gives nil if the configuration already has the answer.
  func reader(in folder: String) throws -> MigrationReader? {
    guard try CheckConfiguration.nearest(to: folder).migratedBy == nil else { return nil }
    let question = "Does modelctl migrate the stores of users, as in a server, instead of Core Data in your app?"
    return isYes(question, byDefault: false) ? .modelctl : .coreData
  }

  /// Asks whether an export of CloudKit's schema is that of the app; nil if there is none, or several, or one is named.
  func export(in folder: String) throws -> String? {
    let configuration = try CheckConfiguration.nearest(to: folder)
    guard configuration.containers.isEmpty else { return nil }
    let search = ProjectSearch(in: .enclosing(folder), excluding: configuration.excludes)
    let exports = search.files(under: search.project.path).exports
    guard let export = exports.first, exports.count == 1 else { return nil }
    let question = "Does CloudKit mirror your stores, and is \(export) the schema of production?"
    return isYes(question, byDefault: false) ? export : nil
  }

  /// Asks for permission to write the shown files.
  func confirms() -> Bool { isYes("Write these files?", byDefault: true) }

  private func question(_ service: SetupService) -> String {
    switch service {
    case .github: "Check every pull request with GitHub Actions (\(service.path))?"
    case .gitlab: "Check every merge request with GitLab (\(service.path))?"
    case .preCommit: "Check before every commit with pre-commit (\(service.path))?"
    case .git: "Let git compare and merge models by their content (\(service.path), git config)?"
    case .agents: "Add a section for coding agents (\(service.path))?"
    }
  }

  /// The possible answers, after a question.
  static func choices(byDefault: Bool) -> String {
    guard TextStyle.current.isPlain else { return "[\(byDefault ? "Y/n" : "y/N")]" }
    return "(yes or no; Enter means \(byDefault ? "yes" : "no"))"
  }

  /// The answer; the end of the input means no.
  private func isYes(_ question: String, byDefault: Bool) -> Bool {
    Console.standardError("\(question) \(Self.choices(byDefault: byDefault)) ")
    guard let line = readLine() else {
      Console.standardError("\n")
      return false
    }
    switch line.trimmingCharacters(in: .whitespaces).lowercased() {
    case "y", "yes": return true
    case "": return byDefault
    default: return false
    }
  }
}
