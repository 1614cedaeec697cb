import CSQLiteConnection
import Foundation

// A process that tests let use a store: `StoreOccupant STORE hold|repeat|reopen [SQL]`.
//
// hold: runs the SQL, says `ready`, and keeps the connection until its standard input ends.
// repeat: runs the SQL as a transaction over and over until then; says `ready` after the first that was committed.
// reopen: the same with a new connection for every transaction, and a rest in which it has none.
// At the end it says how many transactions SQLite reported as committed, and the last error but a busy store.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
let (path, deed, sql) = (arguments[1], arguments[2], arguments.dropFirst(3).first ?? "")

let hasEnded = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  while !FileHandle.standardInput.availableData.isEmpty {}
  hasEnded.signal()
}

func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

func connect() -> OpaquePointer? {
  var connection: OpaquePointer?
  guard sqlite3_open(path, &connection) == SQLITE_OK else { exit(1) }
  sqlite3_busy_timeout(connection, 20)
  return connection
}

func run(_ sql: String, on connection: OpaquePointer?) -> Int32 {
  sqlite3_exec(connection, sql, nil, nil, nil)
}

var connection = connect()
if deed == "hold" {
  guard run(sql, on: connection) == SQLITE_OK else { exit(1) }
  say("ready")
  hasEnded.wait()
  sqlite3_close(connection)
  exit(0)
}

var commits = 0
var problem = "none"
while hasEnded.wait(timeout: .now()) == .timedOut {
  if deed == "reopen" {
    sqlite3_close(connection)
    usleep(3_000)
    connection = connect()
  }
  usleep(500)
  var code = run("BEGIN IMMEDIATE; \(sql)", on: connection)
  if code == SQLITE_OK { code = run("COMMIT", on: connection) }
  if code == SQLITE_OK {
    commits += 1
    if commits == 1 { say("ready") }
  } else {
    if code & 0xFF != SQLITE_BUSY { problem = String(cString: sqlite3_errmsg(connection)) }
    _ = run("ROLLBACK", on: connection)
    usleep(1_000)
  }
}
sqlite3_close(connection)
say("\(commits) \(problem)")
