/// Holds the names of join tables with both ends on one entity against what is known of them.
struct SelfJoinCheck {
  /// The pairs as the model and the references give them.
  let expected: [SelfJoin]
  /// The pairs as the store has them.
  let actual: [SelfJoin]
  /// Whether Core Data gave the store's tables their names, which then are right.
  let isOfCoreData: Bool

  /// One problem for each table that Core Data does not find, or may not find.
  var problems: [StoreFinding] {
    expected.compactMap { join in
      guard let found = actual.first(where: { Set([$0.naming, $0.other]) == Set([join.naming, join.other]) }) else {
        return nil
      }
      let isTurned = found.naming != join.naming
      switch join.evidence {
      case .reference(let path):
        guard isTurned else { return nil }
        return problem(
          join, .error,
          "its join table is named \(found.table); Core Data names it \(found.otherTable), as \(path) shows, and does not "
            + "find it")
      case .agreement, .store:
        guard isTurned, !isOfCoreData else { return nil }
        return problem(
          join, .warning,
          "its join table is named \(found.table); Core Data very likely names it \(found.otherTable), and does not find "
            + "it then; make sure with a store that Core Data made: --like STORE")
      case .guess:
        guard !isOfCoreData else { return nil }
        return problem(
          join, .warning,
          "its join table is named \(found.table) by a guess; should Core Data name it "
            + "\(found.otherTable), it does not find it; make sure with a store that Core Data made: --like STORE")
      }
    }
  }

  private func problem(_ join: SelfJoin, _ severity: StoreFinding.Severity, _ sentence: String) -> StoreFinding {
    StoreFinding(
      .schema, severity: severity, entity: join.naming.entity, property: join.naming.property, sentence: sentence)
  }
}
