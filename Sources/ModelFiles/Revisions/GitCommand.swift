import Foundation
import ModelDescription

/// Runs git on the repository around a folder without starting programs that the repository names.
///
/// Git gets the repository that our own search found, the environment of ``GitEnvironment``, and settings that come before
/// those of the repository. No command that applies filters, text conversions or external programs is ever run.
struct GitCommand {
  /// The result of a run.
  struct Answer {
    let status: Int32
    let output: Data
    let errors: Data

    var isSuccess: Bool { status == 0 }

    /// The output without the white space around it.
    var text: String { Self.trimmed(output) }

    /// Git's complaint, cut to a readable length.
    var complaint: String { Self.trimmed(errors.prefix(500)) }

    fileprivate static func refused(_ reason: String) -> Answer {
      Answer(status: -1, output: Data(), errors: Data(reason.utf8))
    }

    private static func trimmed(_ data: Data) -> String {
      String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Git is not installed.
  struct Missing: Error {}

  let folder: String

  /// The most bytes of one answer, which is more than the paths of four million files.
  private static let limit = 1 << 30
  /// The maximum seconds without output of git, long enough for the first output of a long history.
  static let patience = 120.0
  /// The maximum seconds without output and without work, in which git waits for a pipe.
  static let idleness = 10.0

  /// Runs git to its end.
  ///
  /// - Parameters:
  ///   - arguments: the command and its arguments.
  ///   - input: the bytes that git reads; nil for none.
  ///   - isLiteral: false for a command that refuses to be given that option, because it takes no patterns.
  ///   - limit: the most bytes of the answer.
  func run(
    _ arguments: [String], input: Data? = nil, isLiteral: Bool = true, limit: Int = Self.limit
  ) throws(Missing) -> Answer {
    if let reason = GitEnvironment.obstacle(around: folder) { return .refused(reason) }
    do {
      let child = ChildProcess(try process(arguments, isLiteral: isLiteral))
      let result = try child.run(
        input: input, limit: limit, patience: Self.patience, idleness: Self.idleness)
      return Answer(status: result.status, output: result.output, errors: result.errors)
    } catch ChildProcess.RunError.tooMuch(let limit) {
      return .refused("the answer has more than \(limit) bytes")
    } catch ChildProcess.RunError.silent {
      return .refused("git was stopped, because it waited for something and had no output")
    } catch {
      throw Missing()
    }
  }

  /// The process of a run, not started.
  ///
  /// - Parameters:
  ///   - arguments: the command and its arguments.
  ///   - isLiteral: false for a command that refuses to be given that option, because it takes no patterns.
  func process(_ arguments: [String], isLiteral: Bool = true) throws(Missing) -> Process {
    guard let program = ChildProcess.program("git") else { throw Missing() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    let place = GitEnvironment.place(of: folder)
    process.arguments =
      ["--no-pager", "--no-optional-locks"] + (isLiteral ? ["--literal-pathspecs"] : []) + place.arguments
      + Self.settings.flatMap { ["-c", $0] } + ["-C", folder] + arguments
    process.environment = place.variables
    return process
  }

  /// Settings of a repository that would start a program, lead elsewhere or change an answer.
  ///
  /// Source: `git help config` of git 2.39 to 2.51. Settings of filters, text conversions, merges and remotes have names of
  /// their own: no command here asks for them, and no protocol is allowed.
  private static let settings = [
    "safe.bareRepository=explicit", "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null",
    "core.askPass=", "core.editor=false", "core.pager=cat", "core.sshCommand=false", "core.gitProxy=",
    "core.alternateRefsCommand=false", "credential.helper=", "diff.external=", "diff.orderFile=/dev/null",
    "diff.relative=false", "diff.ignoreSubmodules=all", "gpg.program=false", "gpg.ssh.program=false",
    "gpg.x509.program=false", "gpg.openpgp.program=false", "log.showSignature=false", "log.showRoot=true",
    "log.mailmap=false", "log.follow=false", "color.ui=false", "column.ui=never", "column.tag=never",
    "column.branch=never", "i18n.logOutputEncoding=UTF-8", "protocol.allow=never",
  ]
}
