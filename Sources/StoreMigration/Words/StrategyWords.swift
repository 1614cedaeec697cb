extension StrategyReason: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .asked: "as asked"
    case .noRowsTouched: "no step depends on the number of rows"
    case .fewRowsTouched(let count): "few rows are touched (\(count))"
    case .manyRowsTouched(let count):
      "many rows are rewritten (\(count)), which is faster in a copy without a journal"
    case .rowsMadeAnew: "a mapping model makes every row anew"
    case .severalStages(let count): "there are \(count) stages, and each is checked before the next"
    }
  }
}
