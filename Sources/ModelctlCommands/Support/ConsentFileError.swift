import ModelKit

/// Why a file of names whose loss is consented to is not taken.
enum ConsentFileError: Error, Hashable {
  case noPath
  case unreadable(path: String, reason: String)
  case notText(path: String)
  case noNames(path: String)
  case severalNames(SourceLocation)
  case unknownName(String, at: SourceLocation, candidates: [String])
}

extension ConsentFileError {
  /// Takes the refusal of names that stand in a file; nil for every other.
  init?(_ error: LockError, _ names: [ConsentName]) {
    guard case .unknownLosses(let unknown, _, let candidates) = error,
      let name = names.first(where: { unknown.contains($0.text) }), let location = name.location
    else { return nil }
    self = .unknownName(name.text, at: location, candidates: candidates)
  }
}

extension ConsentFileError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noPath: "--allow-data-loss @: name the file behind the @, as in @losses.txt, or write @lock"
    case .unreadable(let path, let reason):
      "\(path): \(reason); see how names are written into one with: modelctl plan --help"
    case .notText(let path): "\(path): is no text in UTF-8; write one name a line, such as Order.note"
    case .noNames(let path):
      "\(path): holds no name; write one a line, such as Order.note, or leave --allow-data-loss out"
    case .severalNames(let location): "\(location): a line holds one name, Entity or Entity.property"
    case .unknownName(let name, let location, let candidates):
      "\(location): no such entity or property: \(name)"
        + (candidates.isEmpty ? "" : "; did you mean \(candidates.map { "“\($0)”" }.joined(separator: ", "))?")
    }
  }
}
