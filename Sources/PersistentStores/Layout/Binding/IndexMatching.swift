/// Which of the indexes that a model asks for a store has; one of the same name goes first, and each counts once.
package struct IndexMatching {
  /// For each of the model's indexes the position of the store's, nil where the store has none.
  package private(set) var matches: [Int?]
  /// The positions of the store's indexes that are none of the model's, or one more of the same form.
  package private(set) var surplus: [Int] = []

  /// Pairs indexes.
  ///
  /// - Parameters:
  ///   - wanted: the indexes that the model asks for.
  ///   - actual: the names and forms of those that the store has; a condition that is not understood is taken for the
  ///     model's.
  package init(wanted: [SQLIndex], actual: [(name: String, form: IndexForm?)]) {
    let forms = wanted.map { IndexForm($0) }
    matches = Array(repeating: nil, count: wanted.count)
    let byName = Dictionary(grouping: wanted.indices) { wanted[$0].name.uppercased() }
    var unnamed: [Int] = []
    for (position, index) in actual.enumerated() {
      let named = byName[index.name.uppercased()]?.first { matches[$0] == nil && Self.fits(index.form, forms[$0]) }
      if let named { matches[named] = position } else { unnamed.append(position) }
    }
    var open = Dictionary(grouping: forms.indices.reversed().filter { matches[$0] == nil }) { forms[$0] }
    var openPartial = Dictionary(grouping: forms.indices.reversed().filter { matches[$0] == nil }) {
      forms[$0].withoutCondition
    }
    for position in unnamed {
      guard let form = actual[position].form else {
        surplus.append(position)
        continue
      }
      let isReadable = form.rows != .unreadable
      var taken: Int?
      repeat {
        taken = isReadable ? open[form]?.popLast() : openPartial[form]?.popLast()
      } while taken.map { matches[$0] != nil } ?? false
      if let taken { matches[taken] = position } else { surplus.append(position) }
    }
  }

  private static func fits(_ form: IndexForm?, _ wanted: IndexForm) -> Bool {
    form == wanted || (form?.rows == .unreadable && form == wanted.withoutCondition)
  }
}
