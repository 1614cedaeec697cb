import Foundation

/// What only the command line can get wrong; the message names the place, the cause and what to do.
enum CommandError: Error, CustomStringConvertible {
  case unwritable(path: String, reason: String)
  case noBundle(folder: String)
  case noVersionToReach(store: String)
  case severalBundles(store: String, candidates: [String])
  case unknownVersion(name: String, bundle: String, versions: [String])
  case brokenVersion(bundle: String, version: String, reason: String)
  case noModelInStore(path: String)
  case unknownNames(option: String, names: [String])
  case badAssignment(option: String, text: String, expected: String)
  case badModel(name: String, reason: String)

  var description: String {
    switch self {
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .noBundle(let folder):
      "no model bundle (.xcdatamodeld, .xcdatamodel, .momd, .mom) under \(folder); name one with --model PATH"
    case .noVersionToReach(let store):
      "\(store): no bundle holds a version to migrate to; name the bundle with --model PATH and the version with --to"
    case .severalBundles(let store, let candidates):
      """
      \(store): several bundles fit (\(candidates.joined(separator: ", "))); name one with --model PATH
      """
    case .unknownVersion(let name, let bundle, let versions):
      "\(bundle) has no version named \(name); it has \(versions.joined(separator: ", "))"
    case .brokenVersion(let bundle, let version, let reason):
      "\(bundle): version \(version) cannot be used: \(reason)"
    case .noModelInStore(let path):
      "\(path): no version here wrote the store and it holds no model of its own; name the bundle with --model PATH"
    case .unknownNames(let option, let names):
      "\(option): no such attribute in the destination: \(names.joined(separator: ", ")); write it as Entity.attribute"
    case .badAssignment(let option, let text, let expected):
      "\(option) \(text): expected \(expected)"
    case .badModel(let name, let reason):
      "\(name): \(reason); run modelctl check to see where"
    }
  }
}
