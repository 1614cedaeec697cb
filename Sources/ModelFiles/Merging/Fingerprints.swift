/// Gives elements that mean the same one number, so that whole elements are compared at once.
///
/// One table serves all documents of a merge. Attributes count in any order, white space does not count.
final class Fingerprints {
  private struct Form: Hashable {
    let name: String
    let attributes: [String]
    let children: [Int]
  }

  private var numbers: [Form: Int] = [:]

  func number(of node: MarkupNode, children: [Int]) -> Int {
    let attributes = node.attributes.sorted { $0.name < $1.name }.flatMap { [$0.name, $0.value] }
    let form = Form(name: node.name, attributes: attributes, children: children)
    if let number = numbers[form] { return number }
    numbers[form] = numbers.count
    return numbers.count - 1
  }
}
