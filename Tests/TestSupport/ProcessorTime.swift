import Foundation

/// The time that a thread had the processor, which other tests and other programs do not change.
public enum ProcessorTime {
  /// Runs something on this thread.
  ///
  /// - Parameter work: what to run.
  /// - Returns: the seconds that this thread had the processor meanwhile.
  public static func seconds(of work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
