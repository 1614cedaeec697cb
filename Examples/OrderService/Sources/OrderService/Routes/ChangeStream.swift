import Foundation
import HTTPTypes
import Hummingbird
import ModelKit
import ServiceLifecycle

/// The saves of the service as server-sent events, until the client or the service ends.
struct ChangeStream: Sendable {
  let saves: AsyncStream<StoreSave>

  /// What an event says: the objects by entity and key.
  private struct Event: Encodable {
    let inserted, updated, deleted: [String]

    init(_ save: StoreSave) {
      inserted = save.inserted.map(\.description)
      updated = save.updated.map(\.description)
      deleted = save.deleted.map(\.description)
    }
  }

  func response(to request: Request) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        try await writer.write(ByteBuffer(string: ": each save is an event\n\n"))
        try? await request.body.consumeWithCancellationOnInboundClose { _ in
          for await save in saves.cancelOnGracefulShutdown() {
            var event = ByteBuffer(string: "event: save\ndata: ")
            event.writeBytes(try JSONEncoder().encode(Event(save)))
            event.writeString("\n\n")
            try await writer.write(event)
          }
        }
        try await writer.finish(nil)
      })
  }
}
