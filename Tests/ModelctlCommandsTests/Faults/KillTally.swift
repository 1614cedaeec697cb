import Foundation
import TestSupport

/// The results of killed runs.
struct KillTally: CustomStringConvertible {
  private var kills = 0
  private var old = 0
  private var new = 0
  private var withLeftovers = 0
  /// The errors, one per line.
  private(set) var partStates: [String] = []

  var description: String {
    "\(kills) kills, \(old) old stores, \(new) new ones, \(withLeftovers) with left-overs, "
      + "\(partStates.count) part states"
  }

  /// Looks at what a run left, and runs it again.
  mutating func count(_ run: KillSubject.Run, of subject: KillSubject, at moment: String) throws {
    kills += 1
    let left = try run.names()
    let backups = left.filter { $0.hasPrefix("shop.sqlite.v1.backup") }
    if left.subtracting(backups) != ["shop.sqlite"] { withLeftovers += 1 }
    do {
      let found = try run.fingerprint()
      if found == subject.old {
        old += 1
      } else if found == subject.new {
        new += 1
      } else {
        partStates.append("\(moment): neither old nor new")
      }
      for name in backups {
        if try run.fingerprint(name) != subject.old { partStates.append("\(moment): \(name) is not the old store") }
      }
      let status = try run.workspace.modelctl("status", "shop.sqlite")
      if status.status != 0, status.status != 1 { partStates.append("\(moment): status \(status.standardError)") }
      let next = try Modelctl.run(run.command, in: run.workspace)
      if next.status != 0 { partStates.append("\(moment): \(next.standardError)") }
      if try run.fingerprint() != subject.new { partStates.append("\(moment): the next run gave another store") }
      var names = try run.names().filter { !$0.hasPrefix("shop.sqlite.v1.backup") }
      // A journal whose header is wiped says nothing. Where nothing was left to do, the log stays as it was.
      if try run.isWiped("shop.sqlite-journal") { names.remove("shop.sqlite-journal") }
      if found == subject.new { names.subtract(["shop.sqlite-wal", "shop.sqlite-shm"]) }
      if names != ["shop.sqlite"] { partStates.append("\(moment): left behind: \(names.sorted())") }
    } catch {
      partStates.append("\(moment): \(error)")
    }
  }
}
