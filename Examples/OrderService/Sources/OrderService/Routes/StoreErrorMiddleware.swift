import HTTPTypes
import Hummingbird
import Logging
import ModelKit

/// Answers the store's errors with what a client can do about them, and all others with a message.
struct StoreErrorMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as SaveError {
      // Somebody else saved the object, or has its unique values: the same request may succeed later.
      let isConflict = error.blockers.allSatisfy { [133_020, 133_021].contains($0.code) }
      return try answer(isConflict ? .conflict : .unprocessableContent, ErrorDocument(error), request, context)
    } catch let error as RecordRequestError {
      return try answer(.badRequest, ErrorDocument(message: "\(error)"), request, context)
    } catch StoredObjectError.notFound {
      return try answer(.notFound, ErrorDocument(message: "there is no such order"), request, context)
    } catch let error as any HTTPResponseError {
      // Of a path that is not there, and of a body that is too large, Hummingbird says nothing but the status.
      let response = try error.response(from: request, context: context)
      guard response.body.contentLength == 0 else { return response }
      return try answer(error.status, ErrorDocument(message: error.status.reasonPhrase), request, context)
    } catch let error as CancellationError {
      // Nobody waits for an answer.
      throw error
    } catch {
      // What went wrong inside is for whoever runs the service.
      context.logger.error("\(request.method) \(request.uri.path): \(error)")
      let message = "the service cannot answer this now; its log says why"
      return try answer(.internalServerError, ErrorDocument(message: message), request, context)
    }
  }

  private func answer(
    _ status: HTTPResponse.Status, _ document: ErrorDocument, _ request: Request, _ context: Context
  ) throws -> Response {
    var response = try document.response(from: request, context: context)
    response.status = status
    return request.method == .head ? response.createHeadResponse() : response
  }
}
