/// The fault of an operation.
enum FaultKind: String, CaseIterable, Sendable {
  /// This operation fails, once; all others work.
  case error
  /// A write writes its first half and fails, once; any other operation just fails.
  case torn
  /// From here on nothing that needs room works: a write that lets a file grow is torn, no file is made.
  case full
  /// The process dies: nothing works from here on, and what was done is there.
  case death
  /// The power goes: nothing works from here on, and all that was not synchronised is gone.
  case powerCut
  /// The power goes: nothing works from here on, and of what was not synchronised some is there, sector by sector and
  /// name by name.
  case partialPowerCut

  var endsTheProcess: Bool { [.death, .powerCut, .partialPowerCut].contains(self) }
  var isPowerCut: Bool { self == .powerCut || self == .partialPowerCut }
}
