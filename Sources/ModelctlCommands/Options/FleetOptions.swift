import ArgumentParser
import Foundation
import ModelKit

/// How many stores are shared out and remembered.
struct FleetOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many stores at once; two a core for a folder, otherwise one after another.",
      valueName: "number"))
  var jobs: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where to remember what is done; in the first folder otherwise. The same command goes on from there.",
      valueName: "file"))
  var journal: String?

  @Option(
    name: .customLong("shard"),
    help: ArgumentHelp(
      "I/N: only the I-th of N parts; auto takes it from Kubernetes, Slurm or GNU parallel.", valueName: "part"))
  var shardText: String?

  func validate() throws {
    // Each takes some of the files that a process may have open.
    if let jobs, !(1...128).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 128") }
    if journal == "" { throw ValidationError("--journal takes the path of a file") }
    _ = try shard()
  }

  /// The part of the stores; nil for all.
  ///
  /// - Throws: `ValidationError` for what is no part, and when the environment does not tell it.
  func shard() throws -> Shard? {
    guard let shardText else { return nil }
    if shardText == "auto" {
      do {
        return try Shard.detected(in: ProcessInfo.processInfo.environment)
      } catch {
        throw ValidationError("--shard auto: \(error)")
      }
    }
    guard let shard = Shard(shardText) else {
      throw ValidationError("--shard \(shardText): expected I/N with I from 1 to N, such as 2/8, or auto")
    }
    return shard
  }

  /// True when the stores are many: a folder is named, or one of these options is given.
  func isWanted(for stores: [String]) -> Bool {
    jobs != nil || journal != nil || shardText != nil || FleetMigration.hasFolder(stores)
  }

  /// Where the journal is.
  ///
  /// - Throws: as ``shard()``.
  func journalPath(for stores: [String]) throws -> String? {
    try journal ?? FleetMigration.journalPath(for: stores, shard: shard())
  }

  /// The run over stores, and over folders of stores.
  ///
  /// - Parameters:
  ///   - stores: the stores and the folders.
  ///   - goal: what differs when a store that is done may have another version to reach.
  /// - Returns: the run.
  /// - Throws: as ``shard()``.
  func migration(of stores: [String], goal: String) throws -> FleetMigration {
    FleetMigration(
      places: stores, shard: try shard(), jobs: jobs,
      goal: goal)
  }
}
