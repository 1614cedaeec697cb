import ModelKit

/// What a command's arguments say about the migration of every store, read once.
struct MigrationSettings: Sendable {
  /// The versions and the mapping models.
  let workspace: LoadedWorkspace
  let consent: Consent
  /// What is allowed and decided.
  let arguments: MigrationArguments
  /// What is done in place of policies.
  let policies: PolicyOptions
  /// How long another process is waited for, in seconds.
  let busyTimeout: Double
  /// Whether the original is kept, as the command was asked.
  var keepsBackup: Bool?
  var isRehearsal = false
  /// The names of join tables; nil where they do not matter.
  var names: JoinNames?

  /// The version that a store is to get.
  func target(of store: String) throws -> MigrationTarget {
    try workspace.target(of: store, to: arguments.path.to, busyTimeout: busyTimeout)
  }

  /// What becomes of a store whose target is known.
  ///
  /// - Parameter isOneOfMany: true for a store of many, where ``check(for:)`` has looked all names up.
  /// - Throws: ``ConsentFileError`` and ``CommandError`` for a name that no model on the way has, and as
  ///   `LoadedWorkspace.migration(of:to:)`.
  func request(
    for store: String, to target: MigrationTarget, isOneOfMany: Bool = false
  ) throws -> MigrationRequest {
    if !isOneOfMany {
      try consent.check(in: target.models)
      try arguments.checkNames(in: target.models)
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

  /// Refuses names and versions that are wrong for every store, before any is looked at.
  func check(for places: [String]) throws {
    let known = workspace.versions.map(\.hierarchy)
    try arguments.checkNames(in: known)
    try consent.check(in: known, orIn: places)
    guard try workspace.bundlesVersions().count == 1 else { return }
    var nameless = self
    nameless.names = nil
    for target in try workspace.targets(to: arguments.path.to) {
      _ = try nameless.request(for: "", to: target, isOneOfMany: true)
    }
  }
}
