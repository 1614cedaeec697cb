import MigrationSQL
import ModelDescription
import PersistentStores

/// How the links of every pair of relationships are written.
///
/// Most are copied, renumbered where keys change: their columns are filled while the objects are made, and join tables by
/// one statement a pair of mappings. Where a row could have several candidates, or places have to be found, links are
/// first gathered in a temporary table; so are all while policies in code may link objects too.
struct LinkPlanning {
  /// The columns that are filled while the objects of a mapping are made, by its position.
  private(set) var columns: [Int: [(column: String, value: SQLStatement)]] = [:]
  /// The temporary tables of gathered links.
  private(set) var tables: [PlanStep] = []
  /// The table of every pair whose links are gathered.
  private(set) var gathered: [(pair: LinkPair, table: String)] = []
  /// What is written when all objects are made.
  private(set) var steps: [PlanStep] = []
  /// The columns of references that are copied as they are.
  private(set) var copied: [CopiedReferences] = []
  /// What must hold of the links.
  private(set) var checks: [PlanCheck] = []

  init(_ gathering: LinkGathering, in context: PlanningContext) {
    for (position, (pair, atoms)) in gathering.pairs.enumerated() where !atoms.isEmpty || context.hasCode {
      if !context.hasCode, let direct = DirectLinks(pair, atoms, in: context) {
        for (mapping, values) in direct.columns { columns[mapping, default: []] += values }
        steps += direct.steps
        copied += direct.copied
      } else {
        let links = GatheredLinks(pair, atoms, table: TemporaryName.gatheredLinks(position), in: context)
        gathered.append((pair, links.name))
        tables += links.tables
        steps += links.steps
        checks += links.checks
      }
    }
  }
}
