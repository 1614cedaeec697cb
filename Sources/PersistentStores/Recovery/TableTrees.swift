import Foundation

/// The tables of a SQLite file that SQLite may refuse: their leaves, found by walking each tree, and the leaves of no tree.
struct TableTrees {
  /// A table that the schema names.
  struct Table {
    let name: String
    let sql: String
    /// The page at the top of its tree.
    let root: Int
    /// The pages with its rows.
    fileprivate(set) var leaves: [Int] = []
    /// How many pages of its tree cannot be read.
    fileprivate(set) var lostPages = 0
  }

  let file: PageFile
  /// The tables, in the order of the schema.
  private(set) var tables: [Table] = []
  /// The statements of indexes, in the order of the schema.
  private(set) var indexes: [String] = []
  /// The names of triggers.
  private(set) var triggers: Set<String> = []
  /// The used pages with rows that are outside all trees.
  private(set) var orphans: [Int] = []
  /// False if the schema cannot be read completely.
  private(set) var hasWholeSchema = true
  private var seen: Set<Int> = []

  init(_ file: PageFile) {
    self.file = file
    let schema = walk(from: 1)
    hasWholeSchema = schema.lost == 0 && !schema.leaves.isEmpty
    addTables(of: schema.leaves)
    let free = file.freePages()
    findOrphans(free)
    // A part of the schema may lie in pages that nothing leads to.
    guard !hasWholeSchema else { return }
    addTables(of: orphans)
    findOrphans(free)
  }

  /// Reads the rows of a page; unreadable rows are counted.
  func forEachRow(ofPage number: Int, _ body: (RecoveredRow) throws -> Void) rethrows -> Int {
    let bytes = file.page(number)
    guard let page = TreePage(bytes, at: number == 1 ? 100 : 0, usableSize: file.usableSize), page.isLeaf else {
      return 0
    }
    var lost = page.lostCells
    for place in page.cells {
      if let row = file.row(bytes, at: place) { try body(row) } else { lost += 1 }
    }
    return lost
  }

  /// The table that owns a page by the file's pointer map, which has the parent of each page; nil if the map has no
  /// entry.
  func owner(ofPage number: Int) -> String? {
    var page = number
    for _ in 0..<20 {
      if let table = tables.first(where: { $0.root == page }) { return table.name }
      guard let above = file.parent(ofPage: page) else { return nil }
      page = above
    }
    return nil
  }

  /// The leaves below a page, and how many pages cannot be read.
  private mutating func walk(from root: Int) -> (leaves: [Int], lost: Int) {
    var leaves: [Int] = []
    var lost = 0
    var open = [root]
    while let number = open.popLast() {
      let bytes = file.page(number)
      guard let page = TreePage(bytes, at: number == 1 ? 100 : 0, usableSize: file.usableSize),
        seen.insert(number).inserted
      else {
        lost += 1
        continue
      }
      if page.isLeaf {
        leaves.append(number)
      } else {
        lost += page.lostCells
        open += page.children(bytes).reversed()
      }
    }
    return (leaves, lost)
  }

  private mutating func addTables(of pages: [Int]) {
    var found: [(name: String, root: Int, sql: String)] = []
    for number in pages {
      let lost = forEachRow(ofPage: number) { row in
        guard row.values.count == 5, case .text(let type) = row.values[0], case .text(let name) = row.values[1] else {
          return
        }
        var sql = ""
        if case .text(let bytes) = row.values[4] { sql = String(decoding: bytes, as: UTF8.self) }
        switch String(decoding: type, as: UTF8.self) {
        case "table":
          guard !sql.uppercased().hasPrefix("CREATE VIRTUAL"), let root = row.integer(3).flatMap({ Int(exactly: $0) })
          else { return }
          found.append(
            (Self.name([name, row.values[2].bytes, Array((SchemaColumns(sql)?.name ?? "").utf8)]), root, sql))
        case "index": if !sql.isEmpty { indexes.append(sql) }
        case "trigger": triggers.insert(String(decoding: name, as: UTF8.self))
        default: return
        }
      }
      if lost > 0 { hasWholeSchema = false }
    }
    for (name, root, sql) in found where !tables.contains(where: { $0.name.uppercased() == name.uppercased() }) {
      let (leaves, lost) = walk(from: root)
      tables.append(Table(name: name, sql: sql, root: root, leaves: leaves, lostPages: lost))
    }
  }

  /// The name on which two of three sources agree: the schema row's name, its table name, and its statement.
  private static func name(_ said: [[UInt8]]) -> String {
    let name = said[0] != said[1] && said[1] == said[2] ? said[1] : said[0]
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func findOrphans(_ free: Set<Int>) {
    orphans = file.numbers.filter { number in
      number > 1 && !seen.contains(number) && !free.contains(number)
        && TreePage(file.page(number), at: 0, usableSize: file.usableSize)?.isLeaf == true
    }
  }
}
