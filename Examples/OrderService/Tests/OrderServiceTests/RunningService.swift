import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The service, as a process of its own at a free port.
final class RunningService {
  /// What the service answered.
  struct Answer {
    let status: Int
    let json: Any
    let headers: [AnyHashable: Any]

    /// The object that the body is.
    var object: [String: Any] { json as? [String: Any] ?? [:] }
    /// What went wrong.
    var error: [String: Any] { object["error"] as? [String: Any] ?? [:] }
    /// The codes of the problems, in their order.
    var codes: [Int] { (error["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? Int } }
    /// The version of the order.
    var version: String? { header("etag") }

    /// A header by its name in lower case.
    func header(_ name: String) -> String? {
      headers.first { "\($0.key)".lowercased() == name }.map { "\($0.value)" }
    }
  }

  /// It lies beside the tests.
  private static let path: URL = {
    let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("order-service")
  }()

  let process = Process()
  /// What it wrote until it listened.
  private(set) var greeting = ""
  let address: String

  init(store: String) throws {
    let output = Pipe()
    process.executableURL = Self.path
    process.arguments = ["--store", store, "--port", "0"]
    process.standardOutput = output
    try process.run()
    while !greeting.contains("listening at http://") || greeting.last != "\n" {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the service ended with \(greeting)")
      greeting += String(decoding: data, as: UTF8.self)
    }
    let line = greeting.split(separator: "\n").last { $0.hasPrefix("listening at ") }
    address = try String(#require(line).dropFirst("listening at ".count))
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Asks the service to end, and waits for it.
  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  func url(_ path: String, _ query: [String: String] = [:]) throws -> URL {
    var components = try #require(URLComponents(string: address + path))
    if !query.isEmpty { components.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) } }
    return try #require(components.url)
  }

  /// Sends a request.
  func send(
    _ method: String, _ path: String, _ query: [String: String] = [:], _ body: [String: Any]? = nil,
    version: String? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: try url(path, query))
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let version { request.setValue(version, forHTTPHeaderField: "If-Match") }
    if let body { request.httpBody = try JSONSerialization.data(withJSONObject: body) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    let json = try? JSONSerialization.jsonObject(with: data)
    return Answer(status: answer.statusCode, json: json ?? [String: Any](), headers: answer.allHeaderFields)
  }
}
