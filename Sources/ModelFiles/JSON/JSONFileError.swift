import ModelDescription

/// What is wrong with a JSON file of ours, with its place.
public struct JSONFileError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Finding: Hashable, Sendable {
    /// The text is no JSON.
    case syntax(String)
    /// The text still holds both sides of a merge.
    case conflictMarkers(advice: String?)
    /// An object has a key twice.
    case duplicateKey(String)
    /// A list or an object lies too deep in others.
    case tooDeep(limit: Int)
    /// The file holds more values than any of ours.
    case tooManyValues(limit: Int)
    /// A key that nothing reads.
    case unknownKey(String, known: [String])
    /// A key that must be there is not.
    case missingKey(String)
    /// A value of another kind than the one that is read here.
    case wrongKind(expected: String, found: String)
    /// A value that means nothing, in one clause.
    case wrongValue(String)
    /// A path names no bundle that can be used.
    case unusableBundle(path: String, ModelFileError)
  }

  /// What is wrong.
  public let finding: Finding
  /// Where.
  public let location: SourceLocation

  /// Makes an error.
  public init(_ finding: Finding, at location: SourceLocation) {
    self.finding = finding
    self.location = location
  }
}

extension JSONFileError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String { "\(location): \(words)" }

  /// The cause and what to try next.
  package var words: String {
    switch finding {
    case .syntax(let problem): return "not well-formed JSON: \(problem)"
    case .conflictMarkers(let advice):
      return
        "merge conflict markers; \(advice ?? "resolve them, then run: git add \(ShellWord(path: location.file).text)")"
    case .duplicateKey(let key): return "the key “\(key)” is there a second time; remove one of the two"
    case .tooDeep(let limit): return "lists and objects lie more than \(limit) deep"
    case .tooManyValues(let limit): return "the file holds more than \(limit) values"
    case .unknownKey(let key, let known):
      let near = NearNames.nearest(to: key, among: known).map { "“\($0)”" }.joined(separator: ", ")
      return "the key “\(key)” is unknown" + (near.isEmpty ? "; remove it" : "; did you mean \(near)?")
    case .missingKey(let key): return "the key “\(key)” is missing"
    case .wrongKind(let expected, let found): return "\(expected) must stand here, not \(found)"
    case .wrongValue(let problem): return problem
    case .unusableBundle(let path, let error): return "“\(path)” is no bundle that can be used: \(error)"
    }
  }
}

extension JSONFileError: LocatedError {
  /// The location, the cause and what to try next.
  package var located: (location: SourceLocation, words: String)? { (location, words) }
}
