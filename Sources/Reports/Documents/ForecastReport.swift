public import StoreMigration

/// The forecast of a migration.
public struct ForecastReport: Encodable, Hashable, Sendable {
  /// The number of rows that the steps touch, in total.
  public let touchedRows: Int
  /// The approximate number of bytes to write.
  public let bytesToWrite: Int64
  /// The bytes that must be free beside the store.
  public let freeBytesNeeded: Int64
  /// The free bytes; nil if the system does not report them.
  public let freeBytes: Int64?
  /// The duration on this machine in seconds; nil if too few rows are touched for a trial, or if no trial was possible.
  public let seconds: Double?
  /// Whether iOS would terminate an app that migrates during its launch.
  public let exceedsLaunchWatchdog: Bool
  private let lacksSpace: Bool

  private enum CodingKeys: CodingKey {
    case touchedRows, bytesToWrite, freeBytesNeeded, freeBytes, seconds, exceedsLaunchWatchdog
  }

  /// Creates a report of a forecast.
  public init(_ forecast: MigrationForecast) {
    touchedRows = forecast.work.touchedRows
    bytesToWrite = forecast.work.bytesToWrite
    freeBytesNeeded = forecast.work.freeBytesNeeded
    freeBytes = forecast.freeBytes
    seconds = forecast.seconds.map { ($0 * 1000).rounded() / 1000 }
    exceedsLaunchWatchdog = forecast.exceedsLaunchWatchdog
    lacksSpace = forecast.lacksSpace
  }

  /// The words after the size of the store; the free disk space only for a copy, or if there is too little.
  func sizes(isCopy: Bool) -> [String] {
    var sizes = bytesToWrite > 0 ? ["writes about \(Quantity.bytes(bytesToWrite))"] : []
    if isCopy || lacksSpace { sizes.append("needs \(Quantity.bytes(freeBytesNeeded)) of free disk space") }
    if lacksSpace, let freeBytes {
      sizes.append("but only \(Quantity.bytes(freeBytes)) are free, so migrate refuses")
    }
    return sizes
  }

  /// The duration in a sentence.
  var time: String? {
    guard let seconds else { return nil }
    let warning =
      exceedsLaunchWatchdog
      ? "; longer than the 20 seconds after which iOS terminates an app that is still launching" : ""
    return "forecast: \(Self.length(seconds)) on this machine\(warning)"
  }

  private static func length(_ seconds: Double) -> String {
    switch seconds {
    case ..<1: "less than a second"
    case ..<120: "about \(Quantity.text(Int(seconds.rounded()), "second"))"
    default: "about \(Quantity.text(Int(min(seconds / 60, 1e9).rounded()), "minute"))"
    }
  }
}
