import ModelDescription
import ModelFiles

extension [ReleasedVersion] {
  /// Who says so, each once.
  var words: String {
    var seen: Set<String> = []
    return map(\.witness.words).filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}

extension ReleasedVersion.Witness {
  /// The file or the revision that says so.
  fileprivate var words: String {
    switch self {
    case .lock(let path): BundlePath.lastComponent(path)
    case .base(let name), .tag(let name): name
    case .compiled(let path): path
    }
  }
}

extension CheckedVersion {
  /// The place of an element, else of the entity that holds it, else of the model.
  func location(of element: ModelElement) -> SourceLocation {
    file.location(of: element) ?? file.location(of: .model) ?? SourceLocation(file: file.path, line: 1, column: 1)
  }
}
