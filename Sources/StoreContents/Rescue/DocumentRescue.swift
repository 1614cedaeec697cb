import AtomicStores
import Foundation
import ModelFiles
import ObjectStores
import PersistentStores

/// The rescue of one store that is read and written as a whole.
struct DocumentRescue {
  private let rescue: StoreRescue
  private let kind: any StoreKind
  private let isInterrupted: @Sendable () -> Bool

  init(_ rescue: StoreRescue, _ kind: any StoreKind, isInterrupted: @escaping @Sendable () -> Bool) {
    (self.rescue, self.kind, self.isInterrupted) = (rescue, kind, isInterrupted)
  }

  func run(to output: String) throws -> RescueOutcome {
    throw RescueError.nothing(path: rescue.path, cause: "stores of the kind \(kind.name) are not read yet")
  }
}
