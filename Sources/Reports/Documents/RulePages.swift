public import ModelChecks

/// The pages of the documentation about rules, written from the rules themselves.
public enum RulePages {
  /// The page that lists all rules.
  ///
  /// - Parameter rules: the rules.
  /// - Returns: the page in Markdown.
  public static func list(_ rules: [Rule] = Rule.all) -> String {
    let sections = Rule.Category.allCases.map { category in
      let rows = rules.filter { $0.category == category }.map { rule in
        "| [`\(rule.id)`](rules/\(rule.id).md) | \(rule.severity.rawValue) | \(cell(rule.purpose)) |\n"
      }
      return "\n## \(category.rawValue)\n\n| rule | severity | what it asks |\n| --- | --- | --- |\n\(rows.joined())"
    }
    return """
      # Rules

      What `modelctl check` looks for. Errors and warnings fail the check, notes do not. How to change that for a \
      project or for one entity is told in [configuration.md](configuration.md); `modelctl check --explain RULE` prints \
      what the pages here say, and `modelctl check --rule RULE` checks one rule only. This page and those it leads to are written from the rules; a test keeps them so.
      \(sections.joined())
      """
  }

  /// The page of one rule.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - example: what `check` prints of a fixture that breaks it, nil for none.
  /// - Returns: the page in Markdown.
  public static func page(of rule: Rule, example: String?) -> String {
    let found =
      example.map { "\n## An example\n\n```text\n\($0.hasSuffix("\n") ? $0 : $0 + "\n")```\n" } ?? ""
    let inModel =
      rule.isSilencedInModels
      ? """
      \nAt one entity or property, a userInfo entry in the model (in Xcode: the data model inspector, User Info):

      ```xml
      <userInfo>
          <entry key="modelctl.ignore" value="\(rule.id)"/>
      </userInfo>
      ```

      """ : ""
    return """
      # \(rule.id)

      \(rule.purpose) Severity: \(rule.severity.rawValue).

      ## Why, and what to do

      \(rule.explanation)
      \(found)
      ## To silence it

      In the whole project, in `\(CheckConfiguration.fileName)`:

      ```json
      { "rules": { "\(rule.id)": "off" } }
      ```
      \(inModel)
      All rules: [rules.md](../rules.md)

      """
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
