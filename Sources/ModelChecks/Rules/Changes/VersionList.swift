/// Names of versions in a sentence, the middle of a long list left out.
struct VersionList {
  /// Such as `v1, v2 and 12 more to v15`.
  let text: String

  init(_ names: [String]) {
    guard names.count > 4, let last = names.last else {
      text = names.joined(separator: ", ")
      return
    }
    text = "\(names[0]), \(names[1]) and \(names.count - 2) more to \(last)"
  }
}
