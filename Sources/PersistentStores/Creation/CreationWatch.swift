/// Who is told how far a store is, and who may stop it.
struct CreationWatch {
  let path: String
  let progress: ((_ written: Int, _ total: Int) -> Void)?
  let interruption: (() -> Bool)?

  /// How many rows pass between two calls.
  static let interval = 4096

  /// Tells the progress and stops when asked to.
  func report(_ written: Int, of total: Int) throws(StoreCreationError) {
    progress?(written, total)
    if interruption?() == true { throw .interrupted(path: path) }
  }
}
