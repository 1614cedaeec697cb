import Foundation
import ModelDescription

/// A derivation in the forms that are understood: a key path, or a function of one.
package struct DerivationKeyPath {
  private let lead: String
  private let keys: [String]
  private let trail: String
  private static let literals: Set<String> = ["nil", "null", "true", "false", "yes", "no"]

  /// Takes an expression such as `lines.@sum.price`, `SELF.name` or `canonical:(name)` apart; nil for another form.
  package init?(_ text: String) {
    var lead = ""
    var path = Substring(text)
    if let open = text.range(of: ":("), text.hasSuffix(")") {
      path = text[open.upperBound...].dropLast()
      (lead, trail) = (String(text[..<open.upperBound]), ")")
    } else {
      trail = ""
    }
    if path.prefix(5).lowercased() == "self." {
      lead += path.prefix(5)
      path = path.dropFirst(5)
    }
    self.lead = lead
    keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard keys.allSatisfy(Self.isKey), keys.count > 1 || !Self.literals.contains(path.lowercased()) else { return nil }
  }

  private static func isKey(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.numericType != .decimal else { return false }
    return text.unicodeScalars.allSatisfy { $0 == "@" || ElementName.isPart($0) }
  }

  /// The names of properties along the path; operators such as `@sum` are none.
  package var propertyNames: [String] { keys.filter { !$0.hasPrefix("@") } }

  /// Renames a property in the expression.
  ///
  /// - Parameter hierarchy: the model before.
  /// - Returns: the expression; nil if it does not contain the property.
  func renaming(
    _ oldName: String, declaredBy scope: Set<String>, to name: String, from entity: String, _ hierarchy: EntityHierarchy
  ) -> String? {
    var place: String? = entity
    var renamed: [String] = []
    for key in keys {
      renamed.append(key == oldName && place.map(scope.contains) ?? false ? name : key)
      if !key.hasPrefix("@") {
        place = place.flatMap { hierarchy.allRelationships(of: $0)[key]?.property.destinationEntityName }
      }
    }
    return renamed == keys ? nil : lead + renamed.joined(separator: ".") + trail
  }

  /// The first property in the path that is one of those given, which are names by the entities in which they mean them.
  func first(of properties: [String: Set<String>], from entity: String, _ hierarchy: EntityHierarchy) -> String? {
    var place: String? = entity
    for key in propertyNames {
      guard let current = place else { return nil }
      if properties[current]?.contains(key) == true { return key }
      place = hierarchy.allRelationships(of: current)[key]?.property.destinationEntityName
    }
    return nil
  }
}
