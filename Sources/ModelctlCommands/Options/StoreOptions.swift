import ArgumentParser
import ModelKit

/// What stores are migrated by: the names of join tables, mapping models, policies and the bundles.
struct StoreOptions: ParsableArguments {
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption

  /// Reads the versions and says where mapping models are.
  ///
  /// - Throws: as `Workspace.load()`.
  func load() throws -> LoadedWorkspace { try models.workspace(configuration, mappings: mappings).load() }
}

/// The path of a store; an empty one, as an unset variable of a shell gives, is wrong usage.
struct StorePath: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }
}

/// How long a command waits for other processes.
struct WaitingOptions: ParsableArguments {
  @Option(
    name: .customLong("busy-timeout"),
    help: ArgumentHelp(
      "How long to wait for another process that uses the store, then refuse and name it.", valueName: "seconds"))
  var busyTimeout = StoreWriter.defaultBusyTimeout

  func validate() throws {
    guard busyTimeout >= 0, busyTimeout <= 86_400 else {
      throw ValidationError("--busy-timeout takes a number of seconds from 0 to 86400, a day")
    }
  }
}
