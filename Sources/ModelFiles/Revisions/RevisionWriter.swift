import Dispatch
import Foundation
import ModelDescription

/// Writes files of a revision into a new folder, asking one process of git for all their bytes.
struct RevisionWriter {
  let folder: String
  let revision: ResolvedRevision
  let git: GitCommand

  func write(_ entries: [RevisionEntry]) throws(RevisionError) {
    guard !entries.isEmpty else { return }
    guard let process = try? git.process(["cat-file", "--batch"]) else { throw .noGit }
    let output = Pipe()
    process.standardInput = try questions(entries)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let end = ProcessEnd(of: process)
    do {
      try process.run()
    } catch {
      throw .noGit
    }
    let slot = RunningPrograms.add(process.processIdentifier)
    defer {
      if process.isRunning { process.terminate() }
      end.wait()
      RunningPrograms.remove(slot)
    }
    try receive(entries, from: BlobStream(output.fileHandleForReading, of: process.processIdentifier))
  }

  /// The hashes in a file, so that git can read them while it is being read from.
  private func questions(_ entries: [RevisionEntry]) throws(RevisionError) -> FileHandle {
    let path = BundlePath.joined(folder, ".objects")
    try write(Data(entries.map { "\($0.hash)\n" }.joined().utf8), to: path)
    guard let handle = FileBytes.handle(path) else { throw .unwritable(path: path, reason: "it was removed") }
    try? FileManager.default.removeItem(atPath: path)
    return handle
  }

  private func receive(_ entries: [RevisionEntry], from stream: BlobStream) throws(RevisionError) {
    var stream = stream
    var rest = RevisionTree.byteLimit
    var folders: Set<String> = [folder]
    for entry in entries {
      let bytes: Data
      do {
        bytes = try stream.next(limit: min(FileBytes.limit, rest))
      } catch {
        throw failure(error, entry, isFile: rest >= FileBytes.limit)
      }
      rest -= bytes.count
      let path = BundlePath.joined(folder, entry.path)
      let parent = BundlePath.parent(path)
      if folders.insert(parent).inserted { try make(parent) }
      try write(bytes, to: path)
    }
  }

  private func failure(_ error: BlobStream.BlobError, _ entry: RevisionEntry, isFile: Bool) -> RevisionError {
    switch error {
    case .missing: .missingObject(revision: revision.revision, path: entry.path)
    case .torn: .failed(revision: revision.revision, reason: "\(entry.path) could not be read")
    case .tooLarge where isFile:
      .tooLarge(revision: "\(revision.revision):\(entry.path)", what: "its size in bytes", limit: FileBytes.limit)
    case .tooLarge:
      .tooLarge(
        revision: revision.revision, what: "the size of its model files in bytes", limit: RevisionTree.byteLimit)
    }
  }

  private func make(_ folder: String) throws(RevisionError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path: folder, reason: CommonWords.cause(of: error))
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }

  /// Writes a temporary file without waiting for the disk.
  private func write(_ bytes: Data, to path: String) throws(RevisionError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: Self.reason) }
    defer { close(descriptor) }
    let isWritten = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    guard isWritten else { throw .unwritable(path: path, reason: Self.reason) }
  }
}

/// Waits for the end of a process until the moment it comes; `waitUntilExit` looks every 50 milliseconds.
private struct ProcessEnd {
  private let ended = DispatchSemaphore(value: 0)

  /// Takes a process that has not started yet.
  init(of process: Process) {
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
  }

  func wait() { ended.wait() }
}

/// Reads what `git cat-file --batch` prints: for each object a line `hash SP type SP size`, its bytes and a newline.
struct BlobStream {
  /// The reason why an object cannot be read.
  enum BlobError: Error {
    case missing
    case tooLarge
    case torn
  }

  private let handle: FileHandle
  private let program: Int32
  private var buffer = Data()

  /// Takes the output of a program.
  init(_ handle: FileHandle, of program: Int32) { (self.handle, self.program) = (handle, program) }

  /// The bytes of the next object, if it has no more than these.
  mutating func next(limit: Int) throws(BlobError) -> Data {
    let header = try line().split(separator: " ")
    if header.last == "missing" { throw .missing }
    guard header.count == 3, header[1] == "blob", let size = Int(header[2]), size >= 0 else { throw .torn }
    guard size <= limit else { throw .tooLarge }
    while buffer.count <= size { try fill() }
    let start = buffer.startIndex
    let bytes = Data(buffer[start..<start + size])
    buffer.removeFirst(size + 1)
    return bytes
  }

  /// A header; none is longer than a hash, a word and a number.
  private mutating func line() throws(BlobError) -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(buffer.distance(from: buffer.startIndex, to: end) + 1)
        return line
      }
      guard buffer.count < 200 else { throw .torn }
      try fill()
    }
  }

  private mutating func fill() throws(BlobError) {
    var waiting = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    var work = ProcessWork(of: program)
    var seconds = 0.0
    while poll(&waiting, 1, 1_000) == 0 {
      seconds += 1
      guard seconds < GitCommand.patience, work.pause < GitCommand.idleness else { throw .torn }
    }
    let more = handle.availableData
    guard !more.isEmpty else { throw .torn }
    buffer.append(more)
  }
}
