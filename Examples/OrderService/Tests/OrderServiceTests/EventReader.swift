import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The server-sent events of a stream, as they come.
final class EventReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// The lines of the stream.
  let lines: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private var rest = ""

  init(_ url: URL) {
    (lines, continuation) = AsyncStream<String>.makeStream()
    super.init()
    URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil).dataTask(with: url).resume()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    rest += String(decoding: data, as: UTF8.self)
    while let end = rest.firstIndex(of: "\n") {
      continuation.yield(String(rest[..<end]))
      rest = String(rest[rest.index(after: end)...])
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    continuation.finish()
    session.finishTasksAndInvalidate()
  }
}
