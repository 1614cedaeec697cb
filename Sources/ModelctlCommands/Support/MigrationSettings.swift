import ModelKit

/// What a command's arguments say about the migration of every store, read once.
struct MigrationSettings: Sendable {
  /// The versions and the mapping models.
  let workspace: LoadedWorkspace
  /// What may be lost.
  let consent: Consent
  /// What is allowed and decided.
  let arguments: MigrationArguments
  /// What is done in place of policies.
  let policies: PolicyOptions
  /// How long another process is waited for, in seconds.
  let busyTimeout: Double
  /// Whether the original is kept, as the command was asked.
  var keepsBackup: Bool?
  /// True when nothing is kept.
  var isRehearsal = false

  /// Reads what may be lost.
  ///
  /// - Throws: as ``Consent/init(_:bundles:)``.
  init(
    _ arguments: MigrationArguments, _ consent: ConsentOptions, _ policies: PolicyOptions, _ waiting: WaitingOptions,
    in workspace: LoadedWorkspace
  ) throws {
    self.consent = try Consent(consent, bundles: workspace.bundles)
    (self.workspace, self.arguments, self.policies) = (workspace, arguments, policies)
    busyTimeout = waiting.busyTimeout
  }

  /// The version that a store is to get.
  ///
  /// - Throws: as `LoadedWorkspace.target(of:to:busyTimeout:)`.
  func target(of store: String) throws -> MigrationTarget {
    try workspace.target(of: store, to: arguments.to, busyTimeout: busyTimeout)
  }

  /// What becomes of a store.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - target: the version that it is to get.
  ///   - names: the names of join tables.
  /// - Returns: the request.
  /// - Throws: ``ConsentFileError`` and ``CommandError`` for a name that no model on the way has, and as
  ///   `LoadedWorkspace.migration(of:to:)`.
  func request(for store: String, to target: MigrationTarget, _ names: JoinNames) throws -> MigrationRequest {
    let options = try arguments.options(policies, consent, for: target)
    return try request(for: store, to: target, names, options)
  }

  /// The same of one of many stores: the names are not looked up in every store.
  func requestOfMany(for store: String, to target: MigrationTarget, _ names: JoinNames?) throws -> MigrationRequest {
    var options = try arguments.options(policies)
    options.allowedLosses = consent.losses(for: target)
    return try request(for: store, to: target, names, options)
  }

  private func request(
    for store: String, to target: MigrationTarget, _ names: JoinNames?, _ options: MigrationOptions
  ) throws -> MigrationRequest {
    var request = try arguments.request(for: store, to: target, in: workspace)
    (request.options, request.keepsBackup, request.isRehearsal) = (options, keepsBackup, isRehearsal)
    request.busyTimeout = busyTimeout
    if let names { request.references = try names.references(for: target.destination) }
    return request
  }

  /// Refuses names and versions that are wrong for every store, before any is looked at.
  ///
  /// - Parameter places: the stores, and folders of stores.
  /// - Throws: as ``request(for:to:_:)``.
  func check(for places: [String]) throws {
    let known = workspace.versions.map(\.hierarchy)
    try arguments.checkNames(in: known)
    try consent.check(in: known, orIn: places)
    guard try workspace.bundlesVersions().count == 1 else { return }
    for target in try workspace.targets(to: arguments.to) { _ = try requestOfMany(for: "", to: target, nil) }
  }
}
