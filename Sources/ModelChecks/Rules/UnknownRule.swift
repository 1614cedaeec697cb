import ModelDescription

/// A rule id that no rule has.
public struct UnknownRule: Error, Hashable, Sendable {
  /// The id.
  public let id: String
  /// The ids it may have been meant for, nearest first.
  public let near: [String]

  /// Takes an id that was not found.
  public init(_ id: String) {
    self.id = id
    let ids = Rule.all.map(\.id)
    let holding = id.count > 2 ? ids.filter { $0.contains(id) } : []
    near = Array((holding.isEmpty ? NearNames.nearest(to: id, among: ids) : holding).prefix(3))
  }
}

extension UnknownRule: CustomStringConvertible {
  /// The id, and what to write instead.
  public var description: String {
    let advice =
      near.isEmpty
      ? "see all with: modelctl check --list-rules" : "did you mean \(near.map { "“\($0)”" }.joined(separator: ", "))?"
    return "there is no rule “\(id)”; \(advice)"
  }
}

extension Rule {
  /// The rule of an id.
  public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }
}
