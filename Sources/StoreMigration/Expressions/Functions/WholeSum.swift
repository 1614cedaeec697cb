import GRDB

/// `@sum` of whole numbers of 64 bits: a sum that leaves them stops the statement and names the row.
struct WholeSum: DatabaseAggregate {
  private var sum: Int64 = 0

  mutating func step(_ values: [DatabaseValue]) throws {
    guard let number = Int64.fromDatabaseValue(values[0]) else { return }
    let (next, overflows) = sum.addingReportingOverflow(number)
    guard !overflows else { throw RowPlace(values[1...]).failure(RowValueError.overflow) }
    sum = next
  }

  func finalize() -> (any DatabaseValueConvertible)? { sum }
}
