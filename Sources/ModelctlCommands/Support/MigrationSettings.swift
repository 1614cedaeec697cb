import ModelKit

/// The arguments of a command for all stores, read once.
struct MigrationSettings: Sendable {
  /// The versions and the mapping models.
  let workspace: LoadedWorkspace
  let consent: Consent
  /// The decisions of the user.
  let arguments: MigrationArguments
  /// The replacements of policies.
  let policies: PolicyOptions
  /// The seconds to wait for another process.
  let busyTimeout: Double
  /// True to keep a backup of the original, or nil for the default.
  var keepsBackup: Bool?
  var isRehearsal = false
  /// The names of join tables, or nil if the command does not need them.
  var names: JoinNames?

  /// The destination version of a store.
  func target(of store: String) throws -> MigrationTarget {
    try workspace.target(of: store, to: arguments.path.to, busyTimeout: busyTimeout)
  }

  /// The migration of a store to a known target.
  ///
  /// - Parameter isOneOfMany: true if ``check(for:)`` has already checked all names.
  /// - Throws: ``ConsentFileError`` and ``CommandError`` for a name that no model on the path has, and the errors of
  ///   `LoadedWorkspace.migration(of:to:)`.
  func request(
    for store: String, to target: MigrationTarget, isOneOfMany: Bool = false
  ) throws -> MigrationRequest {
    if !isOneOfMany {
      try consent.check(in: target.models, of: target.onlyBundle)
      try arguments.checkNames(in: target.models, of: target.onlyBundle)
    }
    var options = try arguments.options(policies)
    options.allowedLosses = consent.losses(for: target)
    var request = try workspace.migration(
      of: store, to: target, isDirect: arguments.path.direct, inferring: try arguments.inference(for: target))
    (request.options, request.keepsBackup, request.isRehearsal) = (options, keepsBackup, isRehearsal)
    request.busyTimeout = busyTimeout
    if let names { request.references = try names.references(for: target.destination) }
    return request
  }

  /// Refuses names and versions that are wrong for every store, before it opens a store.
  func check(for paths: [String]) throws {
    let known = workspace.versions.map(\.hierarchy)
    try arguments.checkNames(in: known)
    try consent.check(in: known, orIn: paths)
    guard try workspace.bundlesVersions().count == 1 else { return }
    var nameless = self
    nameless.names = nil
    for target in try workspace.targets(to: arguments.path.to) {
      _ = try nameless.request(for: "", to: target, isOneOfMany: true)
    }
  }
}
