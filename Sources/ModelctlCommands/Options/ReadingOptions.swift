import ArgumentParser
import ModelKit

/// By which models a store is read, and how long other processes that use it are waited for.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption

  /// Opens a store of any kind for reading.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - interrupt: ends the reading once it is raised.
  /// - Returns: the reader, and the models here.
  /// - Throws: as `Workspace.load()` and `LoadedWorkspace.reader(of:busyTimeout:interruption:)`.
  func open(
    _ store: StorePath, _ interrupt: Interrupt
  ) throws -> (reader: StoreReader, workspace: LoadedWorkspace) {
    let workspace = try models.workspace(configuration).load()
    let reader = try workspace.reader(
      of: store.text, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    return (reader, workspace)
  }
}
