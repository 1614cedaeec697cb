import ModelKit

/// What only a Mac can prove of the stores that a command wrote.
struct UnprovedKinds {
  private var notes: Set<String> = []

  /// Takes stores that were written.
  init(of paths: [String] = []) {
    for path in paths { add(path) }
  }

  /// Takes one more store that was written.
  mutating func add(_ path: String) {
    if let note = UnprovedKindText.text(of: StoreKinds.kind(ofFile: path)) { notes.insert(note) }
  }

  /// Says it on standard error, once a kind.
  func show() {
    for note in notes.sorted() { Console.note(note) }
  }
}
