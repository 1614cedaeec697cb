import ModelFiles
import PersistentStores
import TestSupport

/// The sample versions that inputs are held against.
enum FuzzSamples {
  /// The versions of the Orders model, oldest first.
  static let orders = versions("Orders")
  /// The versions of the Todo model, oldest first.
  static let todo = versions("Todo")
  /// The versions of the Company model, oldest first, of which some have a join table.
  static let company = versions("Company")

  private static func versions(_ name: String) -> [LoadedVersion] {
    guard let bundle = try? ModelBundle(at: SampleModels.path(name)) else { return [] }
    return LoadedVersion.load(from: [bundle]).versions
  }

  static func order(_ number: Int) throws -> LoadedVersion {
    guard orders.indices.contains(number) else { throw FuzzFinding("the sample models are not in Models/") }
    return orders[number]
  }
}
