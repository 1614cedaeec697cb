public import StoreContents
import StoreRows

extension MergeReport {
  /// Takes a merge of stores.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - merge: the merge.
  public init(path: String, _ merge: StoreMerge) {
    self.init(path: path, conflicts: merge.conflicts.map { Conflict($0) })
  }
}

extension MergeReport.Conflict {
  fileprivate init(_ conflict: StoreMergeConflict) {
    let object = "\(conflict.object)"
    switch conflict.cause {
    case .value(let property, let base, let ours, let theirs):
      self.init(
        line: nil, element: "\(object).\(property)", cause: "value",
        message: PrintableText.line(
          "\(object): \(property) was \(base.shown), is \(ours.shown) in ours and \(theirs.shown) in theirs"),
        attribute: property, base: base.shownUnlessNull, ours: ours.shownUnlessNull, theirs: theirs.shownUnlessNull)
    case .order(let property):
      self.init(
        object, property, "list", "both sides changed the order of its \(property)")
    case .deletedByOurs: self.init(object, nil, "removed", "deleted in ours, changed or linked to in theirs")
    case .deletedByTheirs: self.init(object, nil, "removed", "changed or linked to in ours, deleted in theirs")
    case .notUnique(let properties, let other):
      self.init(
        object, nil, "unique", "has the same \(properties.joined(separator: ", ")) as \(other); change one of them")
    case .tooFew(let property, let count, let minimum):
      self.init(
        object, property, "count",
        "\(property) has \(Quantity.text(count, "object")) and needs at least \(minimum); add some")
    case .tooMany(let property, let count, let maximum):
      self.init(
        object, property, "count",
        "\(property) has \(Quantity.text(count, "object")) and may have at most \(maximum); take some out")
    }
  }

  private init(_ object: String, _ property: String?, _ cause: String, _ words: String) {
    self.init(
      line: nil, element: property.map { "\(object).\($0)" } ?? object, cause: cause,
      message: PrintableText.line("\(object): \(words)"), attribute: nil, base: nil, ours: nil, theirs: nil)
  }
}

extension RecordValue {
  fileprivate var shownUnlessNull: String? { self == .null ? nil : shown }
}
