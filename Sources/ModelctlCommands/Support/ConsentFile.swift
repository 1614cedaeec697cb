import Foundation
import ModelKit

/// A file with the names of allowed losses, in UTF-8, one name per line.
///
/// A `#` at the start of a line, or after white space, begins a comment.
enum ConsentFile {
  /// Reads a file.
  ///
  /// - Returns: the names in their order, at least one name.
  /// - Throws: ``ConsentFileError``, and `ModelFileError` if the file cannot be read or is too large.
  static func read(_ path: String) throws -> [ConsentName] {
    guard !path.isEmpty else { throw ConsentFileError.noPath }
    let data: Data
    do {
      data = try FileBytes.read(path)
    } catch ModelFileError.empty {
      throw ConsentFileError.noNames(path: path)
    } catch ModelFileError.unreadable(_, let reason) {
      throw ConsentFileError.unreadable(path: path, reason: reason)
    }
    guard let text = String(validating: data, as: UTF8.self) else { throw ConsentFileError.notText(path: path) }
    let names = try names(in: text, path)
    guard !names.isEmpty else { throw ConsentFileError.noNames(path: path) }
    return names
  }

  private static func names(in text: String, _ path: String) throws(ConsentFileError) -> [ConsentName] {
    var names: [ConsentName] = []
    var number = 0
    for line in text.drop(while: { $0 == "\u{FEFF}" }).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      number += 1
      let name = withoutComment(line).trimmingCharacters(in: .whitespaces)
      guard !name.isEmpty else { continue }
      let location = SourceLocation(file: path, line: number, column: 1)
      guard !name.contains(where: { $0.isWhitespace || $0 == "," }) else { throw .severalNames(location) }
      names.append(ConsentName(text: name, location: location))
    }
    return names
  }

  /// The line without its comment.
  ///
  /// A `#` inside a name does not begin a comment.
  private static func withoutComment(_ line: Substring) -> Substring {
    let start = line.indices.first {
      line[$0] == "#" && ($0 == line.startIndex || line[line.index(before: $0)].isWhitespace)
    }
    return start.map { line[..<$0] } ?? line
  }
}

/// The name of an allowed loss.
struct ConsentName: Hashable {
  /// The entity, or `Entity.property`.
  let text: String
  /// The location in a file, or nil for an argument.
  let location: SourceLocation?
}

/// The reason why a file of allowed losses is not valid.
enum ConsentFileError: Error, Hashable {
  case noPath
  case unreadable(path: String, reason: String)
  case notText(path: String)
  case noNames(path: String)
  case severalNames(SourceLocation)
  case unknownName(String, at: SourceLocation, candidates: [String])
}

extension ConsentFileError {
  /// Converts the refusal of names in a file, or gives nil for every other error.
  init?(_ error: LockError, _ names: [ConsentName]) {
    guard case .unknownLosses(let unknown, _, let candidates) = error,
      let name = names.first(where: { unknown.contains($0.text) }), let location = name.location
    else { return nil }
    self = .unknownName(name.text, at: location, candidates: candidates)
  }
}

extension ConsentFileError: AdvisedError {
  var place: String? {
    switch self {
    case .noPath: "--allow-data-loss @"
    case .unreadable(let path, _), .notText(let path), .noNames(let path): path
    case .severalNames(let location), .unknownName(_, let location, _): "\(location)"
    }
  }

  var cause: String {
    switch self {
    case .noPath: "the name of a file is missing after @"
    case .unreadable(_, let reason): reason
    case .notText: "the file is not text in UTF-8"
    case .noNames: "the file contains no names"
    case .severalNames: "a line can contain only one name, Entity or Entity.property"
    case .unknownName(let name, _, let candidates):
      "there is no entity or property \(name)\(NearNames.clause(candidates))"
    }
  }

  var advice: Advice? {
    switch self {
    case .noPath: "name a file, such as @losses.txt, or allow the losses in the lock file with @lock"
    case .unreadable: "see how a plan writes the names to a file: \(run: "modelctl", "plan", "--help")"
    case .notText, .noNames: "write one name per line, such as Order.note"
    case .severalNames, .unknownName: nil
    }
  }
}
