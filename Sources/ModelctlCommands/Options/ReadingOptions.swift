import ArgumentParser
import ModelKit

/// The models of a store that a command reads, and the time to wait for other processes.
struct ReadingOptions: ParsableArguments {
  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption

  func open(_ store: StorePath, _ interrupt: Interrupt) throws -> (reader: StoreReader, workspace: LoadedWorkspace) {
    let workspace = try models.workspace(configuration).load()
    let reader = try workspace.reader(
      of: store.text, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    return (reader, workspace)
  }
}

/// The time that a command waits for other processes.
struct WaitingOptions: ParsableArguments {
  @Option(
    name: .customLong("busy-timeout"), parsing: .unconditional,
    help: ArgumentHelp(
      "Wait this long while another process uses the store. After that, modelctl gives up and names the process.",
      valueName: "seconds"))
  var busyTimeout = StoreWriter.defaultBusyTimeout

  func validate() throws {
    guard busyTimeout >= 0, busyTimeout <= 86_400 else {
      throw ValidationError("--busy-timeout must be from 0 to 86400 seconds (one day)")
    }
  }
}

/// The path of a store.
///
/// An empty path, as from an unset shell variable, is wrong usage.
struct StorePath: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }

  /// True for a path that ends with a slash, which means a folder.
  var isOfFolder: Bool { text.utf8.last == UInt8(ascii: "/") }

  /// Refuses the path of a folder if the command needs the path of a file.
  ///
  /// - Parameter name: a file name as an example for the message.
  func checkNamesFile(such name: String = "store.sqlite") throws(CommandError) {
    if isOfFolder { throw .folderForFile(path: text, file: BundlePath.joined(text, name)) }
  }
}
