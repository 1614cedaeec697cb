/// How fast this machine is at a migration: what two small trials of it took, and how fast the disk writes.
public struct MigrationCalibration: Hashable, Sendable {
  /// A migration of a small store.
  public struct Trial: Hashable, Sendable {
    /// The ``MigrationWork/units`` of its work.
    public var units: Int
    /// How long the processor worked for it.
    public var seconds: Double

    /// Makes a trial.
    public init(units: Int, seconds: Double) {
      self.units = units
      self.seconds = seconds
    }
  }

  /// The smaller trial, whose time is mostly that of planning, opening and closing.
  public var small: Trial
  /// The larger trial.
  public var large: Trial
  /// How many bytes are written to the disk in a second, synchronised.
  public var bytesPerSecond: Double

  /// Makes a calibration.
  public init(small: Trial, large: Trial, bytesPerSecond: Double) {
    self.small = small
    self.large = large
    self.bytesPerSecond = bytesPerSecond
  }

  /// How long some work takes.
  ///
  /// The time between the two trials is that of their additional units. Writing to the disk comes on top, because the
  /// trials fit into memory.
  ///
  /// - Parameter work: what is to be done.
  /// - Returns: seconds, never less than the small trial took.
  public func seconds(for work: MigrationWork) -> Double {
    let secondsPerUnit = self.secondsPerUnit
    let fixed = max(0, small.seconds - secondsPerUnit * Double(small.units))
    let writing = bytesPerSecond > 0 ? Double(work.bytesToWrite) / bytesPerSecond : 0
    return max(small.seconds, fixed + secondsPerUnit * Double(work.units) + writing)
  }

  /// The time between the trials for each of the units between them; where there is none, all of the larger's time.
  private var secondsPerUnit: Double {
    guard large.units > small.units else { return 0 }
    let difference = large.seconds - small.seconds
    return difference > 0 ? difference / Double(large.units - small.units) : large.seconds / Double(large.units)
  }
}
