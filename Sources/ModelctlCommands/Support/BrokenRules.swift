import ModelKit

/// What rules about a single version find in a model that was changed, and not before.
enum BrokenRules {
  /// Finds what is new; findings are told apart by their words, as one element can have several.
  ///
  /// - Parameters:
  ///   - file: the changed model.
  ///   - former: the models it was made of.
  /// - Returns: findings that make a check fail.
  static func found(in file: ModelFile, beyond former: [ModelFile]) -> [Finding] {
    func findings(_ file: ModelFile) -> [Finding] { Rule.check(file).filter(\.severity.isFailure) }
    func key(_ finding: Finding) -> [String] { [finding.rule, "\(finding.element)", finding.message] }
    let known = Set(former.flatMap(findings).map(key))
    return findings(file).filter { !known.contains(key($0)) }
  }
}
