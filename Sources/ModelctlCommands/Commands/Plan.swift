import ArgumentParser
import Foundation
import ModelKit

/// Prints what a migration would run.
struct Plan: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print the SQL that would migrate a store.",
    usage: """
      modelctl plan <store> [--to <version>] [<options>]
      modelctl plan --emit staged [<store>] [--to <version>] [--model <path>]
      """,
    discussion: """
      EXAMPLES
        modelctl plan store.sqlite
        modelctl plan store.sqlite --to v3 --format json
        modelctl plan store.sqlite --losses losses.txt
        modelctl plan --emit staged > StagedMigration.swift

      Each statement comes with its cause and the rows it touches. What
      stands in the way is listed last, with the option that lifts it.
      --losses writes the names of what would be lost into a file, which
      --allow-data-loss @FILE takes once somebody has read it.
      --emit staged prints Swift for NSStagedMigrationManager instead: all
      versions of the bundle, or those from a store's on.
      """)

  @Argument(help: "The store.")
  var store: StorePath?

  @Option(name: .long, help: "What to print: the SQL, or Swift for NSStagedMigrationManager.")
  var emit = PlanForm.sql

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the names of what would be lost, for --allow-data-loss @FILE, and print no plan.", valueName: "file"))
  var losses: String?

  @Flag(name: .long, help: "Print long binary values whole on a terminal too, as in files and pipes.")
  var full = false

  @OptionGroup var migration: MigrationArguments
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    if store == nil, emit == .sql { throw ValidationError("Missing expected argument '<store>'") }
    if losses != nil, emit == .staged || output.isForPrograms {
      throw ValidationError("--losses writes names and prints no plan; leave --emit and --format out")
    }
    if emit == .staged, output.isForPrograms { throw ValidationError("--emit staged prints Swift; leave --format out") }
  }

  func run() throws {
    let catalogue = try VersionCatalogue(models, configuration: configuration.configuration)
    guard emit == .sql, let store else { return try printStages(catalogue) }
    try printPlan(of: store.text, catalogue)
  }

  private func printStages(_ catalogue: VersionCatalogue) throws {
    let versions = try catalogue.way(of: store?.text, to: migration.to)
    let bundle = catalogue.versions.filter { $0.bundle == versions.first?.bundle }
    let (written, unusable) = try mappings.mappings(among: bundle, near: models.paths)
    do {
      let staged = try StagedMigration(through: versions, mappings: written, unusable: unusable)
      try Console.standardOutput(StagedMigrationCode(staged, bundle: versions.first?.bundleName ?? "").text)
    } catch let refusal as StagedMigrationRefusal {
      Console.standardError("error: \(refusal)\n")
      throw CommandExit.failure
    }
  }

  private func printPlan(of store: String, _ catalogue: VersionCatalogue) throws {
    let target = try catalogue.target(of: store, to: migration.to, busyTimeout: migration.busyTimeout)
    let consent = try Consent(migration.consent, bundles: catalogue.bundles)
    let names = try joinNames.names(among: target.versions)
    var request = MigrationRequest(
      path: store, versions: target.versions, destination: target.destination,
      routes: try migration.routes(to: target, mappings: mappings, models: models),
      options: try migration.options(policies, consent, for: target), busyTimeout: migration.busyTimeout)
    request.references = try names.references(for: target.destination)
    let (prepared, found) = try plan(request)
    var obstacles = found.namingOtherBundles(for: target)
    if let losses { return try write(obstacles, consent, of: store, to: losses) }
    obstacles.unrecordedNames = consent.unrecordedNames(of: obstacles, request, for: target)
    names.suggest(for: prepared.selfJoins, of: target.destination)
    let report = PlanReport(path: store, prepared, obstacles, MigrationForecast.measured(prepared, for: request))
    // The text is SQL that runs as it stands, so nothing in it is written otherwise.
    try output.write(.plan) { form in
      switch form {
      case .text: full || !Terminal.isOutput ? report.text : report.shortText
      case .json: try JSONText.encode(report)
      }
    }
    guard obstacles.isEmpty else {
      let count = Quantity.text(report.obstacles.count, "obstacle")
      let advice = ErrorMessage.consentFile(obstacles, store).map { "  \($0)\n" } ?? ""
      Console.standardError("error: \(store): refused as it stands: \(count), listed at the end of the plan\n\(advice)")
      throw CommandExit.failure
    }
  }

  private func plan(_ request: MigrationRequest) throws -> (PreparedMigration, MigrationBlocked) {
    do {
      return try StoreMigrator(request).plan()
    } catch {
      Console.standardError(ErrorMessage.text(error, about: request.path))
      throw CommandExit.code(for: error)
    }
  }

  /// Writes the names of what would be lost, those consented to already among them.
  private func write(_ obstacles: MigrationBlocked, _ consent: Consent, of store: String, to path: String) throws {
    try ConsentFile.checkWritable(path, stores: [store])
    let names = ConsentFile.losses(obstacles, consent)
    if names.isEmpty {
      Console.note("\(store): nothing would be lost that needs consent, so \(path) is not written")
    } else {
      let words =
        ShellWord(path: store).text
        + Invocation.current.options(Invocation.migration, flags: Invocation.migrationFlags)
        + (consent.takesLock ? " \(LossConsent.lockOption)" : "")
      try ConsentFile.write(
        names, to: path, cause: "migrating \(store)",
        next: "migrate with: modelctl migrate \(words) \(LossConsent.option("@\(path)"))")
    }
    var rows = obstacles
    rows.losses.removeAll(where: \.mergedBundles.isEmpty)
    rows.blockers.removeAll(where: \.isLossOfValues)
    guard rows.isEmpty else {
      Console.standardError(ErrorMessage.text(rows, about: store))
      throw CommandExit.failure
    }
  }
}
