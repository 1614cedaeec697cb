import ArgumentParser
import ModelKit

/// Changes objects of a store.
struct Update: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Change objects of a store, as Core Data saves them.",
    usage: "modelctl update <store> <entity> --where <predicate> --set <name=value>",
    discussion: """
      EXAMPLES
        modelctl update store.sqlite Order --where 'number == 7' --set isPaid=yes
        modelctl update store.sqlite Order --all --clear note --dry-run
        modelctl update store.sqlite Order --where 'number == 7' --set customer=3
        modelctl update store.sqlite Person --all --set address.city=Bonn

      modelctl validates every change, keeps inverses, and writes versions, derived
      attributes and history. One transaction changes all objects or none. For a
      to-one relationship, give the key of an object. For an element of a composite
      attribute, give its path, such as address.city.
      """)

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("Give a property a new value. You can repeat this option.", valueName: "name=value"))
  var set: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("Remove the value of a property. You can repeat this option.", valueName: "name"))
  var clear: [String] = []

  @OptionGroup var change: ChangeOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { change.output }
  var reserved: ReservedFiles { change.reserved }

  func validate() throws {
    guard !set.isEmpty || !clear.isEmpty else { throw ValidationError("name the changes with --set or --clear") }
    for text in set where RecordAssignment(text) == nil {
      throw ValidationError("--set needs name=value, not “\(text)”")
    }
    for assignment in set.compactMap({ RecordAssignment($0) }) {
      guard let emptied = clear.first(where: { Self.areOfOneValue($0, assignment.property) }) else { continue }
      throw ValidationError(
        "--clear \(emptied) and --set \(assignment.property) change the same value; remove one of the two")
    }
  }

  /// True if one path is the other path, or continues it.
  private static func areOfOneValue(_ path: String, _ other: String) -> Bool {
    let paths = [path, other].map { $0.split(separator: ".", omittingEmptySubsequences: false) }
    return zip(paths[0], paths[1]).allSatisfy { $0 == $1 }
  }

  func run() throws {
    let assignments = set.compactMap { RecordAssignment($0) } + clear.map { RecordAssignment($0, text: nil) }
    try change.run { transaction, request, hierarchy in
      let found = try transaction.fetch(request)
      let values = try assignments.map { ($0, try $0.value(of: request.entity, in: hierarchy)) }
      for case (let assignment, .attribute(.string(let text))) in values where assignment.saysNothing {
        let name = ShellWord(assignment.property).text
        Console.note("\(assignment.property) gets the text “\(text)”; to remove its value, use --clear \(name)")
      }
      for record in found {
        var changed: [String: RecordValue] = [:]
        for (assignment, value) in values { assignment.set(value, in: &changed, of: record) }
        try transaction.update(record.id, changed)
      }
    }
  }
}
