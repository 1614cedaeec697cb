/// A revision of git as a commit.
public struct ResolvedRevision: Hashable, Sendable {
  /// The revision as it was asked for: a branch, a tag or a commit.
  public let revision: String
  /// The commit that is read: its whole hash.
  public let commit: String
  /// True when the commit is not the revision itself but the merge base of it and `HEAD`.
  public let isMergeBase: Bool
  /// True when the merge base was looked for, and this clone's history is cut off before it.
  public let lacksMergeBase: Bool
}

extension ResolvedRevision: CustomStringConvertible {
  /// The revision, and which commit was taken for it.
  public var description: String {
    let short = commit.prefix(10)
    if isMergeBase { return "\(revision), merge base \(short)" }
    return commit.hasPrefix(revision) ? String(short) : "\(revision), commit \(short)"
  }
}

extension ResolvedRevision {
  /// Finds the commit of a branch, a tag or a commit, or its merge base with `HEAD` where git finds one.
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
      throw .unknownRevision(revision, isShallow: isShallow, remotes: remotes)
    }
    let base = usingMergeBase ? try git.answer(["merge-base", "HEAD", answer.text]) : nil
    var lacksMergeBase = false
    if let base, !base.isSuccess {
      lacksMergeBase = try git.answer(["rev-parse", "--is-shallow-repository"]).text == "true"
    }
    if let base, base.isSuccess, isHash(base.text), base.text != answer.text {
      return ResolvedRevision(
        revision: revision, commit: base.text, isMergeBase: true, lacksMergeBase: lacksMergeBase)
    }
    return ResolvedRevision(
      revision: revision, commit: answer.text, isMergeBase: false, lacksMergeBase: lacksMergeBase)
  }

  /// True for a whole hash, of SHA-1 or of SHA-256.
  static func isHash(_ text: some StringProtocol) -> Bool {
    [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension GitCommand {
  /// Runs git to its end.
  func answer(_ arguments: [String]) throws(RevisionError) -> Answer {
    do {
      return try run(arguments)
    } catch {
      throw .noGit
    }
  }
}
