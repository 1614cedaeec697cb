import PersistentStores
import StoreRows

struct SQLDump {
  init(_ dialect: SQLDialect, _ reading: RecordReading, _ metadata: StoreMetadata) throws {}
  func write(_ stream: DumpStream) throws -> StoreDump.Outcome { StoreDump.Outcome() }
}
