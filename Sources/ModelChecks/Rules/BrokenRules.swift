package import ModelFiles

/// What rules about a single version find in a model that was changed, and not before.
package enum BrokenRules {
  /// Finds what is new; two findings are one if their words are the same, as one element can have several.
  ///
  /// - Parameters:
  ///   - file: the changed model.
  ///   - oldFiles: the models it was made of.
  /// - Returns: findings that make a check fail.
  package static func found(in file: ModelFile, beyond oldFiles: [ModelFile]) -> [Finding] {
    func findings(_ file: ModelFile) -> [Finding] { Rule.check(file).filter(\.severity.isFailure) }
    func key(_ finding: Finding) -> [String] { [finding.rule, "\(finding.element)", finding.message] }
    let known = Set(oldFiles.flatMap(findings).map(key))
    return findings(file).filter { !known.contains(key($0)) }
  }

  /// Finds what is in a merged model and in neither side, such as a name in both cases of its letters.
  ///
  /// - Parameters:
  ///   - merge: the merge; nothing is found where it leaves something to decide.
  ///   - name: how findings call the merged file.
  ///   - sides: the paths of the two sides.
  /// - Returns: findings that make a check fail.
  /// - Throws: `ModelFileError`.
  package static func found(in merge: ContentsMerge, named name: String, beyond sides: [String]) throws -> [Finding] {
    guard merge.conflicts.isEmpty else { return [] }
    return found(
      in: try ContentsReader.read(merge.data, path: name),
      beyond: try sides.map { try ContentsReader.read(fileAt: $0) })
  }
}
