import Foundation
import ModelKit

/// A family tree in a store of the app's own kind: `family users.json` shows it, `family users.json Anna Karl` adds Anna, a child
/// of Karl.
@main
struct FamilyTree {
  static func main() async {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      guard let path = arguments.first, arguments.count <= 3, !path.hasPrefix("-") else {
        throw Refusal(description: "usage: family STORE [NAME [PARENT]]")
      }
      try await run(path, name: arguments.dropFirst().first, parent: arguments.dropFirst(2).first)
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(2)
    }
  }

  /// Opens the store, which is made when it is missing and migrated when it is of an older version, and works on it.
  private static func run(_ path: String, name: String?, parent: String?) async throws {
    guard let model = Bundle.module.url(forResource: "Family", withExtension: "xcdatamodeld") else {
      throw CocoaError(.fileNoSuchFile)
    }
    var options = OpeningOptions()
    options.kinds = [UserStoreKind()]
    options.kindOfMissing = UserStoreKind()
    let store = try await ObjectStore.open(path, model: Workspace(at: model.path).load(), options: options)
    defer { try? store.close() }
    if case .migrated(let old, let new, _) = store.opening {
      FileHandle.standardError.write(Data("\(path): migrated from \(old) to \(new)\n".utf8))
    }
    let users = store.repository(of: User.self)
    if let name {
      let parents = try await users.fetch(where: "name == %@", parent ?? "")
      if let parent, parents.isEmpty { throw Refusal(description: "there is no user \(parent)") }
      try await users.add(User(name: name, parent: parents.first?.objectID))
    }
    let lines = try await tree(users.fetch(where: nil, sort: [.ascending(\.name)]))
    FileHandle.standardOutput.write(Data(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// A line for each user, children below their parents.
  private static func tree(_ users: [User]) -> [String] {
    let children = Dictionary(grouping: users, by: \.parent)
    func lines(below parent: ObjectID<User>?, _ indentation: String) -> [String] {
      (children[parent] ?? []).flatMap { [indentation + $0.name] + lines(below: $0.objectID, indentation + "  ") }
    }
    return lines(below: nil, "")
  }
}

/// Why `family` does nothing.
struct Refusal: Error, CustomStringConvertible {
  let description: String
}
