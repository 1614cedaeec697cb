/// Why a revision of git could not be read.
public enum RevisionError: Error, Hashable, Sendable {
  /// Git is not installed.
  case noGit
  /// The folder is in no repository that git would read.
  case noRepository(folder: String, reason: String)
  /// The text can be no revision: it is empty, or looks like an option.
  case notARevision(String)
  /// The repository has no such commit; a shallow clone may lack it.
  case unknownRevision(String, isShallow: Bool, remotes: [String])
  /// The path is not in the repository.
  case outsideRepository(path: String, repository: String)
  /// The revision's files pass a limit.
  case tooLarge(revision: String, what: String, limit: Int)
  /// The commit is there, but some of its files are not, as in a partial clone.
  case missingObject(revision: String, path: String)
  /// Git failed.
  case failed(revision: String, reason: String)
  /// The temporary folder cannot be written.
  case unwritable(path: String, reason: String)
}

extension RevisionError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .noGit:
      "git could not be started; install it, or name a folder instead of a revision"
    case .noRepository(let folder, let reason):
      "\(folder): no repository of git can be read here: \(reason); run this in a clone, or name a folder instead of a "
        + "revision"
    case .notARevision(let text):
      "“\(text)” is no revision of git; name a branch, a tag or a commit, such as origin/main"
    case .unknownRevision(let revision, let isShallow, let remotes):
      "\(revision): no such revision in this \(isShallow ? "shallow clone" : "repository"); "
        + Self.advice(revision, isShallow: isShallow, remotes: remotes)
    case .outsideRepository(let path, let repository):
      "\(path): not in the repository \(repository); run this in the repository that holds it"
    case .tooLarge(let revision, let what, let limit):
      "\(revision): \(what) exceeds the limit of \(limit); name fewer bundles"
    case .missingObject(let revision, let path):
      "\(revision):\(path): git has the commit but not this file; fetch it with: git fetch --refetch"
    case .failed(let revision, let reason):
      "\(revision): git: \(reason); list what is there with: git ls-tree -r --name-only \(revision)"
    case .unwritable(let path, let reason):
      "\(path): cannot be written: \(reason); set TMPDIR to another folder"
    }
  }

  /// The command that brings the revision.
  private static func advice(_ revision: String, isShallow: Bool, remotes: [String]) -> String {
    guard let remote = remotes.contains("origin") ? "origin" : remotes.first else {
      return "list what is there with: git log --oneline --all"
    }
    // In a whole clone, --depth would throw history away.
    let fetch = isShallow ? "git fetch --depth=1" : "git fetch"
    if let remote = remotes.first(where: { revision.hasPrefix("\($0)/") }), isName(revision) {
      let branch = revision.dropFirst(remote.count + 1)
      return "fetch it with: \(fetch) \(remote) +\(branch):refs/remotes/\(remote)/\(branch)"
    }
    if ResolvedRevision.isHash(revision) { return "fetch it with: \(fetch) \(remote) \(revision)" }
    if isName(revision) {
      return "fetch it with: \(fetch) \(remote) \(revision), then name it FETCH_HEAD"
    }
    return isShallow
      ? "fetch its history with: git fetch --unshallow" : "list what is there with: git log --oneline --all"
  }

  /// True for what a remote may know by this name; not for `HEAD~2`, and not for what a shell would take apart.
  private static func isName(_ revision: String) -> Bool {
    revision != "HEAD"
      && revision.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/._-+".unicodeScalars.contains(scalar)
      }
  }
}
