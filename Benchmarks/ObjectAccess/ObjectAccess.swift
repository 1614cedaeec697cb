import Foundation

/// One task of `Benchmarks/objects` with one tool: `modelctl-objects TOOL TASK BUNDLE STORE`.
///
/// It prints the seconds of the task, without the opening of the store, and a number by which the benchmark sees that all
/// tools did the same.
@main
enum ObjectAccess {
  /// What is measured.
  enum Task: String {
    /// Every order with all its attributes.
    case fetch
    /// 1,000 orders with their customers and rows.
    case include
    /// The number of unpaid orders above a total, 20 times.
    case count
    /// The sum of totals of each customer.
    case sum
    /// 1,000 customers and 99,000 orders of theirs, in one save.
    case insert
    /// The note of 10,000 orders, in one save.
    case update
    /// 10,000 orders and their rows, in one save.
    case delete
    /// 10,000 orders, one after the other by key.
    case get
    /// Every order, one after the other, in flat memory.
    case cursor
  }

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let task = Task(rawValue: arguments[2]) else {
      FileHandle.standardError.write(Data("usage: modelctl-objects objects|records TASK BUNDLE STORE\n".utf8))
      exit(64)
    }
    let (duration, check) = try
      arguments[1] == "objects"
      ? WithObjects(bundle: arguments[3], store: arguments[4]).run(task)
      : WithRecords(store: arguments[4]).run(task)
    let parts = duration.components
    print(Double(parts.seconds) + Double(parts.attoseconds) / 1e18, check)
  }

  /// The time that something takes, and what it gives.
  static func measured(_ body: () throws -> Int) rethrows -> (Duration, Int) {
    let start = ContinuousClock.now
    let check = try body()
    return (ContinuousClock.now - start, check)
  }
}
