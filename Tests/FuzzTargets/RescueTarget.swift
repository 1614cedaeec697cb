import Foundation
import PersistentStores
import Reports
import StoreContents

/// Stores that `rescue` is given: whatever the pages hold, it ends with one error or with a new store that is sound.
enum RescueTarget {
  static func run(_ data: Data) throws {
    try FuzzFolder.with { folder in
      let path = folder + "/store.sqlite"
      let new = folder + "/new.sqlite"
      let bytes = try StoreTargets.write(data, to: path)
      let log = FileManager.default.contents(atPath: path + "-wal")
      do {
        try rescue(path, to: new)
      } catch let finding as FuzzFinding {
        throw finding
      } catch {
        _ = "\(error)"
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("new") }
        try FuzzFinding.expect(left == [], "the error “\(error)” leaves \(left)")
      }
      try StoreTargets.unchanged(path, bytes, after: "a rescue")
      try FuzzFinding.expect(
        FileManager.default.contents(atPath: path + "-wal") == log, "the log's bytes changed after a rescue")
    }
  }

  private static func rescue(_ path: String, to new: String) throws {
    let versions = FuzzSamples.todo + FuzzSamples.company
    var rescue = StoreRescue(of: path, versions: versions)
    (rescue.busyTimeout, rescue.assumed) = (0, FuzzSamples.todo.first)
    let outcome = try rescue.run(to: new)
    let report = RescueReport(outcome)
    _ = try report.text + report.html + report.markdown + JSONText.encode(report)
    let errors = outcome.findings.filter { $0.severity == .error }
    try FuzzFinding.expect(errors == [], "the new store is not sound: \(errors)")
    // What is sound has nothing to mend and nothing to lose.
    rescue = StoreRescue(of: new, versions: versions)
    let again = try rescue.run(to: new + ".again.sqlite")
    let (kept, keptAgain) = (outcome.entities.map(\.kept), again.entities.map(\.kept))
    try FuzzFinding.expect(
      again.isComplete && kept.filter { $0 > 0 } == keptAgain.filter { $0 > 0 },
      "a rescue of the new store keeps \(keptAgain) of \(kept)")
  }
}
