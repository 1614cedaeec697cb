/// Puts key paths into words, the last key first: `$source.customer.name` is “name of source customer”.
enum KeyPathWords {
  static func words(of keys: [String], from base: ValueExpression) -> String {
    var words = base == .selfObject || base == .variable("source") ? nil : ExpressionWords.operand(base)
    let isSource = base == .variable("source")
    var position = 0
    while position < keys.count {
      let key = keys[position]
      position += 1
      guard key.hasPrefix("@") else {
        words = words.map { "\(key) of \($0)" } ?? (isSource ? "source \(key)" : key)
        continue
      }
      let objects = words ?? "the source object"
      if key == "@count" {
        words = "the number of \(objects)"
      } else {
        let aggregated = keys[position...].joined(separator: " ")
        let subject = aggregated.isEmpty ? objects : "\(aggregated) of \(objects)"
        words = "\(operators[key] ?? "the \(key.dropFirst()) of") \(subject)"
        position = keys.count
      }
    }
    return words ?? "the source object"
  }

  private static let operators = [
    "@sum": "the sum of", "@min": "the least", "@max": "the greatest", "@avg": "the average",
    "@distinctUnionOfObjects": "the different", "@distinctUnionOfSets": "the different",
    "@distinctUnionOfArrays": "the different", "@unionOfObjects": "all", "@unionOfSets": "all", "@unionOfArrays": "all",
  ]
}
