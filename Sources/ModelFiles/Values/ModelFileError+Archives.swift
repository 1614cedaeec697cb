extension ModelFileError {
  /// What is wrong with an archive, without the file it stands in.
  var archiveReason: String {
    switch self {
    case .brokenPropertyList(_, let reason), .brokenArchive(_, let reason): reason
    default: description
    }
  }
}
