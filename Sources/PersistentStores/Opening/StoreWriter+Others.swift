import Foundation

extension StoreWriter {
  /// Waits until nobody else has the store's file open, so that another file can take its place.
  ///
  /// The lock does not tell: with a rollback journal, and before its first read, a connection has none, and would go on
  /// with the old file. This process's other connections count as well.
  ///
  /// - Throws: ``StoreError/openElsewhere(path:users:)`` when somebody still has it open after the busy timeout,
  ///   ``StoreError/interrupted(path:)``.
  package func waitUntilAlone() throws(StoreError) {
    var wait = BusyWait(path: path, seconds: busyTimeout, interruption: interruption)
    try wait.repeating { _ throws(StoreError) in
      let users = usersOfFile()
      if !users.isEmpty { throw .openElsewhere(path: path, users: users) }
    }
  }

  private func usersOfFile() -> [StoreUser] {
    let descriptors = FileIdentity(path: files.database).map { ProcessTable.ownDescriptors(of: $0) } ?? []
    if descriptors.count == 1, ProcessTable.isOnlyOpener(descriptors[0]) { return [] }
    let own = [StoreUser(processID: ProcessTable.own, name: nil, activity: .idle)]
    return (descriptors.count > handleCount ? own : []) + StoreUser.lockedOut(of: files.database)
  }
}
