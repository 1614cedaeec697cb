import ArgumentParser
import ModelKit

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
