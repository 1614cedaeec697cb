import ArgumentParser
import Foundation
import Hummingbird
import ModelKit

/// An HTTP service of orders in a Core Data store, which it makes or migrates when it starts.
@main
struct OrderService: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "order-service", abstract: "Serves the orders of a Core Data store as JSON.")

  @Option(help: "The store, which is made when it is missing, and migrated when it is of an older version.")
  var store = "orders.sqlite"

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at; 0 for any that is free.")
  var port: UInt16 = 8080

  func run() async throws {
    let store = try await ObjectStore.open(store, model: Self.models())
    // The server has answered everything by then: it shuts down gracefully at SIGTERM and SIGINT.
    defer { try? store.close() }
    Self.say("\(store.path): \(Self.words(for: store.opening))")
    let application = Application(
      router: OrderRoutes(store: store).router(),
      configuration: ApplicationConfiguration(address: .hostname(host, port: Int(port)), serverName: "order-service"),
      onServerRunning: { [host] in Self.say("listening at http://\(host):\($0.localAddress?.port ?? 0)") })
    try await application.runService()
  }

  /// The versions of the model, and the mappings that inference does not know.
  private static func models() throws -> LoadedWorkspace {
    guard let bundle = Bundle.module.url(forResource: "Orders", withExtension: "xcdatamodeld") else {
      throw CocoaError(.fileNoSuchFile)
    }
    var workspace = Workspace(at: bundle.path)
    workspace.mappings = .files(Bundle.module.paths(forResourcesOfType: "xml", inDirectory: "Migrations"))
    return try workspace.load()
  }

  /// What became of the store when it was opened.
  private static func words(for opening: StoreOpening) -> String {
    switch opening {
    case .created: "made"
    case .opened: "opened"
    case .migrated(let old, let new, let backup):
      "migrated from \(old) to \(new)" + (backup.map { "; the old store is \($0)" } ?? "")
    }
  }

  /// Writes a line at once, also into a pipe.
  @Sendable private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  /// Runs the service; what keeps it from running is said in one sentence, with exit code 2.
  static func main() async {
    do {
      try await parse().run()
    } catch {
      // Help and wrong usage are the parser's.
      guard exitCode(for: error) == .failure else { exit(withError: error) }
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(withError: ExitCode(2))
    }
  }
}
