/// The tables that every store has beside those of its model.
public enum SystemTable: String, Hashable, Sendable, CaseIterable {
  case primaryKey = "Z_PRIMARYKEY"
  case metadata = "Z_METADATA"
  case modelCache = "Z_MODELCACHE"

  /// The `CREATE TABLE` statement, with Core Data's own spacing.
  public var createStatement: String {
    switch self {
    case .primaryKey:
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
    case .metadata:
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
    case .modelCache:
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"
    }
  }
}
