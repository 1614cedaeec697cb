public import StoreMigration

/// What a migration will touch, write, need and take, for people and programs.
public struct ForecastReport: Encodable, Hashable, Sendable {
  /// How many rows the steps touch, added up.
  public let touchedRows: Int
  /// The bytes that are written, nearly.
  public let bytesToWrite: Int64
  /// The bytes that must be free beside the store.
  public let freeBytesNeeded: Int64
  /// The bytes that are free there; nil when the system does not tell.
  public let freeBytes: Int64?
  /// How long it takes on this machine; nil where too few rows are touched for a trial, or none could be made.
  public let seconds: Double?
  /// True when an app that migrates at its launch would be ended on iOS before it is done.
  public let exceedsLaunchWatchdog: Bool
  private let lacksSpace: Bool

  private enum CodingKeys: CodingKey {
    case touchedRows, bytesToWrite, freeBytesNeeded, freeBytes, seconds, exceedsLaunchWatchdog
  }

  /// Takes a forecast.
  public init(_ forecast: MigrationForecast) {
    touchedRows = forecast.work.touchedRows
    bytesToWrite = forecast.work.bytesToWrite
    freeBytesNeeded = forecast.work.freeBytesNeeded
    freeBytes = forecast.freeBytes
    seconds = forecast.seconds.map { ($0 * 1000).rounded() / 1000 }
    exceedsLaunchWatchdog = forecast.exceedsLaunchWatchdog
    lacksSpace = forecast.lacksSpace
  }

  /// What stands beside the size of the store; the free disk only where a copy is made, or too little is free.
  func sizes(isCopy: Bool) -> [String] {
    var sizes = bytesToWrite > 0 ? ["writes about \(Quantity.bytes(bytesToWrite))"] : []
    if isCopy || lacksSpace { sizes.append("needs \(Quantity.bytes(freeBytesNeeded)) of free disk space") }
    if lacksSpace, let freeBytes {
      sizes.append("but only \(Quantity.bytes(freeBytes)) are free, so migrate refuses")
    }
    return sizes
  }

  /// How long it takes, in a sentence.
  var time: String? {
    guard let seconds else { return nil }
    let warning =
      exceedsLaunchWatchdog ? "; longer than the 20 seconds after which iOS terminates an app that is still launching" : ""
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
