import MappingModels
import ModelDescription

extension AttributeMapping.Step {
  /// False for a step that leaves the value as SQLite keeps it.
  var changesStoredValue: Bool {
    switch self {
    case .replaceNil, .externalStorage: true
    case .convert(let from, let to): ValueConversion(from: from, to: to).changesStoredValue
    }
  }

  /// The value after the step.
  func applied(to value: SQLStatement) -> SQLStatement {
    switch self {
    case .replaceNil(let replacement): "COALESCE(\(value), \(SQLValue(replacement)))"
    case .convert(let from, let to): ValueConversion(from: from, to: to).applied(to: value)
    case .externalStorage(allowed: true): "CAST(\(.blob([1])) || \(value) AS BLOB)"
    case .externalStorage(allowed: false): "modelctl_external_data(\(value))"
    }
  }
}
