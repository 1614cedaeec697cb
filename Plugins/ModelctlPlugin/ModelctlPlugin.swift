import Foundation
import PackagePlugin

/// `swift package modelctl …`: runs modelctl in the package's folder, with the arguments and the exit code as they are.
@main
struct ModelctlPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let process = Process()
    process.executableURL = try context.tool(named: "modelctl").url
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}
