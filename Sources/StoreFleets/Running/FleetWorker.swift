import Foundation
import MappingModels
import PersistentStores
import StoreMigration

/// Migrates one store after another on a thread of its own.
struct FleetWorker: Sendable {
  let queue: FleetQueue
  let migrate: @Sendable (FleetStore) throws -> MigrationOutcome

  /// As deep as that of the main thread, on which a single store is migrated.
  private static let stackSize = 8 << 20

  /// Starts the thread, which ends when the queue is closed.
  func start() {
    let thread = Thread {
      while let store = queue.take() {
        draining { queue.put(result(of: store)) }
      }
    }
    thread.stackSize = Self.stackSize
    thread.name = "modelctl.worker"
    thread.start()
  }

  private func result(of store: FleetStore) -> FleetResult {
    let begin = DispatchTime.now().uptimeNanoseconds
    let realPath = StoreFiles.existingPath(of: store.path)
    let identity = realPath.flatMap { FileStatus($0) }.map {
      FleetQueue.FileIdentity(device: $0.device, inode: $0.number)
    }
    if let identity { queue.occupy(identity) }
    let ending = ending(of: store)
    if let identity { queue.release(identity) }
    let stamp = realPath.flatMap { StoreLog.isBeside($0) ? nil : FileStatus($0) }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
    return FleetResult(store: store, ending: ending, seconds: seconds, stamp: stamp)
  }

  private func ending(of store: FleetStore) -> FleetResult.Ending {
    do {
      return .finished(try migrate(store))
    } catch let error as StoreError {
      switch error {
      case .interrupted: return .interrupted
      case .notSQLite, .notCoreData: return store.isNamed ? .failed(error) : .passedOver(error)
      default: return .failed(error)
      }
    } catch {
      return .failed(error)
    }
  }
}
