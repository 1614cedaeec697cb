import Foundation

/// True if the tests run in a build that a sanitizer makes slow.
public enum SlowBuild {
  /// True when `MODELCTL_SLOW_BUILD` is set, as `scripts/sanitize` does.
  public static let isOn = ProcessInfo.processInfo.environment["MODELCTL_SLOW_BUILD"] != nil
}
