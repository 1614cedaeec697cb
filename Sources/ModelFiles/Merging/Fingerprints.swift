/// Gives elements that mean the same one number, so that whole elements are compared at once.
///
/// One table serves all documents of a merge. Attributes count in any order, comments and text count, white space does
/// not.
final class Fingerprints {
  private struct Form: Hashable {
    let name: String
    let attributes: [String]
    let content: MergeNode.Content
  }

  private var numbers: [Form: Int] = [:]

  func number(of node: MarkupNode, _ content: MergeNode.Content, withIdleIdentifiers: Bool = true) -> Int {
    let said = node.attributes.filter { attribute in
      withIdleIdentifiers || !AttributeGroups.isIdentifier(attribute.name)
        || AttributeGroups.meaning(of: attribute.name, in: node) != nil
    }
    let attributes = said.sorted { $0.name < $1.name }.flatMap { [$0.name, $0.value] }
    let form = Form(name: node.name, attributes: attributes, content: content)
    if let number = numbers[form] { return number }
    numbers[form] = numbers.count
    return numbers.count - 1
  }
}
