public import ModelDescription

/// A revision of git as a commit.
public struct ResolvedRevision: Hashable, Sendable {
  /// The given revision: a branch, a tag or a commit.
  public let revision: String
  /// The complete hash of the commit that is read.
  public let commit: String
  /// True if the commit is the merge base of the revision and `HEAD`.
  public let isMergeBase: Bool
  /// True if the merge base is wanted, but the clone's history ends before it.
  public let lacksMergeBase: Bool
}

extension ResolvedRevision: CustomStringConvertible {
  /// The revision, and the commit that is read.
  public var description: String {
    let short = commit.prefix(10)
    if isMergeBase { return "\(revision), merge base \(short)" }
    return commit.hasPrefix(revision) ? String(short) : "\(revision), commit \(short)"
  }
}

extension ResolvedRevision {
  /// Finds the commit of a branch, a tag or a commit, or its merge base with `HEAD` if git finds one.
  static func resolve(
    _ revision: String, git: GitCommand, usingMergeBase: Bool
  ) throws(RevisionError) -> ResolvedRevision {
    guard !revision.isEmpty, !revision.hasPrefix("-"), !revision.hasPrefix("^"),
      !revision.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw .notARevision(revision) }
    let answer = try git.answer(["rev-parse", "--quiet", "--verify", "\(revision)^{commit}"])
    guard answer.isSuccess, isHash(answer.text) else {
      let isShallow = try git.answer(["rev-parse", "--is-shallow-repository"]).text == "true"
      let remotes = try git.answer(["remote"]).text.split(separator: "\n").map(String.init)
      // A shallow clone may lack the revision, so it need not be misspelt.
      let names =
        isShallow
        ? []
        : try git.answer(["for-each-ref", "--format=%(refname:lstrip=2)"]).text.split(separator: "\n").map(String.init)
      throw .unknownRevision(
        revision, isShallow: isShallow, remotes: remotes, near: NearNames.nearest(to: revision, among: names))
    }
    let base = usingMergeBase ? try git.answer(["merge-base", "HEAD", answer.text]) : nil
    var lacksMergeBase = false
    if let base, !base.isSuccess {
      lacksMergeBase = try git.answer(["rev-parse", "--is-shallow-repository"]).text == "true"
    }
    if let base, base.isSuccess, isHash(base.text), base.text != answer.text {
      return ResolvedRevision(revision: revision, commit: base.text, isMergeBase: true, lacksMergeBase: lacksMergeBase)
    }
    return ResolvedRevision(
      revision: revision, commit: answer.text, isMergeBase: false, lacksMergeBase: lacksMergeBase)
  }

  /// The given revision, with 12 digits of a complete hash, which git accepts too.
  public var shortRevision: String { Self.isHash(revision) ? String(revision.prefix(12)) : revision }

  /// True for a complete hash of SHA-1 or SHA-256.
  static func isHash(_ text: some StringProtocol) -> Bool {
    [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension GitCommand {
  func answer(_ arguments: [String]) throws(RevisionError) -> Answer {
    do {
      return try run(arguments)
    } catch {
      throw .noGit
    }
  }
}

/// Two revisions of git, written as git writes them: `v1.0..v2.0`.
public struct RevisionRange: Hashable, Sendable {
  /// The earlier revision.
  public let source: String
  /// The later revision; `HEAD` if none is named.
  public let destination: String

  /// Parses a range; nil for other texts, such as a path that contains `..`.
  public init?(_ text: String) {
    guard let dots = text.firstRange(of: "..") else { return nil }
    let (first, second) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard !first.isEmpty, !first.hasSuffix("/"), !second.hasPrefix("/") else { return nil }
    (source, destination) = (String(first), second.isEmpty ? "HEAD" : String(second))
  }
}

/// The reason why a revision of git could not be read.
public enum RevisionError: Error, Hashable, Sendable {
  /// Git is not installed.
  case noGit
  /// The folder is not in a repository that git would read.
  case noRepository(folder: String, reason: String)
  /// The text is not a revision: it is empty, or looks like an option.
  case notARevision(String)
  /// The repository does not have this commit; a shallow clone may lack it, or the name is like others.
  case unknownRevision(String, isShallow: Bool, remotes: [String], near: [String])
  /// The path is not in the repository.
  case outsideRepository(path: String, repository: String)
  /// The revision's files exceed a limit.
  case tooLarge(revision: String, what: String, limit: Int)
  /// The repository has the commit but lacks some of its files, as in a partial clone.
  case missingObject(revision: String, path: String)
  /// Git failed.
  case failed(revision: String, reason: String)
  /// Git failed at a setting or a pattern.
  case refused(String, reason: String)
  /// The temporary folder cannot be written.
  case unwritable(path: String, reason: String)
}

extension RevisionError: AdvisedError {
  /// The folder, path or revision; nil if the cause names it.
  public var place: String? {
    switch self {
    case .noGit, .notARevision: nil
    case .noRepository(let place, _), .unknownRevision(let place, _, _, _), .outsideRepository(let place, _),
      .tooLarge(let place, _, _), .failed(let place, _), .refused(let place, _), .unwritable(let place, _):
      place
    case .missingObject(let revision, let path): "\(revision):\(path)"
    }
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .noGit: ModelFileError.noGit
    case .noRepository(_, let reason): "git cannot read a repository here: \(reason)"
    case .notARevision(let text): "“\(text)” is not a git revision"
    case .unknownRevision(_, let isShallow, _, let near):
      "this \(isShallow ? "shallow clone" : "repository") does not have this revision\(NearNames.clause(near))"
    case .outsideRepository(_, let repository): "not in the repository \(repository)"
    case .tooLarge(_, let what, let limit): "\(what) exceeds the limit of \(limit)"
    case .missingObject: "git has the commit but not this file"
    case .failed(_, let reason), .refused(_, let reason): "git: \(reason)"
    case .unwritable(_, let reason): "cannot be written: \(reason)"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .noGit: "install git, or name a folder instead of a revision"
    case .noRepository: "work in a clone, or name a folder instead of a revision"
    case .notARevision: "name a branch, a tag or a commit, such as origin/main"
    case .unknownRevision(let revision, let isShallow, let remotes, _):
      Self.advice(revision, isShallow: isShallow, remotes: remotes)
    case .outsideRepository: "work in the repository that contains it"
    case .tooLarge: "name fewer bundles"
    case .missingObject: "fetch the missing files: \(run: "git", "fetch", "--refetch")"
    case .failed(let revision, _):
      "list the files of the revision: \(run: "git", "ls-tree", "-r", "--name-only", revision)"
    case .refused: nil
    case .unwritable: "set TMPDIR to another folder"
    }
  }

  private static func advice(_ revision: String, isShallow: Bool, remotes: [String]) -> Advice {
    guard let remote = remotes.contains("origin") ? "origin" : remotes.first else { return list }
    // In a complete clone, --depth would discard history.
    let fetch = isShallow ? ["git", "fetch", "--depth=1"] : ["git", "fetch"]
    if let remote = remotes.first(where: { revision.hasPrefix("\($0)/") }), isName(revision) {
      let branch = revision.dropFirst(remote.count + 1)
      return "fetch it: \(Advice.Command(fetch + [remote, "+\(branch):refs/remotes/\(remote)/\(branch)"]))"
    }
    let command = Advice.Command(fetch + [remote, revision])
    if ResolvedRevision.isHash(revision) { return "fetch it: \(command)" }
    if isName(revision) { return "fetch it, then name it FETCH_HEAD: \(command)" }
    return isShallow ? "fetch its history: \(run: "git", "fetch", "--unshallow")" : list
  }

  private static let list: Advice = "list the commits: \(run: "git", "log", "--oneline", "--all")"

  /// True for a name that a remote may have; not for `HEAD~2`, and not for a text that a shell would split.
  private static func isName(_ revision: String) -> Bool {
    revision != "HEAD"
      && revision.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/._-+".unicodeScalars.contains(scalar)
      }
  }
}
