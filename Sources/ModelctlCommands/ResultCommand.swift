/// A command that gives a result in forms, some of which can go to files.
protocol ResultCommand: ModelctlCommand {
  /// The forms of the result.
  associatedtype Form: OutputForm

  /// In which forms the result is given, and where.
  var output: FormatOptions<Form> { get }
  /// What the command reads or makes, so that no result takes its place.
  var reserved: ReservedFiles { get }
}

extension ResultCommand {
  var reserved: ReservedFiles { ReservedFiles() }

  /// Refuses files in which a result would take the place of data, before the command does anything.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func checkOutputPlaces() throws(CommandError) {
    for file in output.files { try OutputPlace.check(file, besides: reserved) }
  }
}
