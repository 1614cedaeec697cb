import Foundation
import HTTPTypes
import Hummingbird
import ModelKit

/// What the service answers.
struct OrderRoutes: Sendable {
  typealias Context = OrderContext

  let store: ObjectStore

  func router() -> Router<Context> {
    let router = Router(context: Context.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: StoreErrorMiddleware())
    router.get("orders", use: list)
    router.get("orders/:id", use: get)
    router.post("orders", use: create)
    router.patch("orders/:id", use: update)
    router.delete("orders/:id", use: delete)
    router.get("changes", use: changes)
    allow([.get, .head, .post], at: "orders", in: router)
    allow([.get, .head, .patch, .delete], at: "orders/:id", in: router)
    allow([.get, .head], at: "changes", in: router)
    return router
  }

  /// Answers the other methods of a path with 405, and with those that it has.
  private func allow(_ methods: [HTTPRequest.Method], at path: RouterPath, in router: Router<Context>) {
    let names = methods.map(\.rawValue).joined(separator: ", ")
    let all: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
    for method in all where !methods.contains(method) {
      router.on(path, method: method) { _, _ -> Response in
        throw HTTPError(.methodNotAllowed, headers: [.allow: names], message: "this path takes \(names) only")
      }
    }
  }

  /// `GET /orders?where=isPaid == NO&limit=20`: the newest orders for which a predicate holds, as one moment has them.
  @Sendable private func list(_ request: Request, _ context: Context) async throws -> [OrderDocument] {
    let query = request.formQuery
    var wanted = try FetchRequest<Order>(where: query["where"])
    wanted.sort = [.descending(\.date), .descending(\.number)]
    wanted.limit = min(max(0, try query["limit"].map(Self.number) ?? 100), 1000)
    wanted.offset = max(0, try query["offset"].map(Self.number) ?? 0)
    return try await documents(wanted)
  }

  /// `GET /orders/7`: one order, with its version as `ETag`.
  @Sendable private func get(_ request: Request, _ context: Context) async throws -> Response {
    try await response(id(context), request, context)
  }

  /// `POST /orders`: the order, its rows, a new customer and new services are one save.
  @Sendable private func create(_ request: Request, _ context: Context) async throws -> Response {
    let order = try await request.decode(as: NewOrder.self, context: context)
    let key = try await store.write { try order.insert(in: $0) }.key
    var response = try await response(ObjectID(key: key, in: store), request, context)
    response.status = .created
    response.headers[.location] = "/orders/\(key)"
    return response
  }

  /// `PATCH /orders/7` changes what the body names, and with `If-Match` only the version that the client has read.
  @Sendable private func update(_ request: Request, _ context: Context) async throws -> Response {
    let id = try id(context)
    let change = try await request.decode(as: OrderChange.self, context: context)
    try await store.write { transaction in
      var order = try transaction.get(id)
      try request.checkVersion(of: order)
      change.apply(to: &order)
      try transaction.update(order)
    }
    return try await response(id, request, context)
  }

  /// `DELETE /orders/7` takes its rows along, and with `If-Match` only the version that the client has read.
  @Sendable private func delete(_ request: Request, _ context: Context) async throws -> HTTPResponse.Status {
    let id = try id(context)
    try await store.write { transaction in
      let order = try transaction.get(id)
      try request.checkVersion(of: order)
      try transaction.delete(order)
    }
    return .noContent
  }

  /// `GET /changes` sends the identifiers of each save as an event.
  @Sendable private func changes(_ request: Request, _ context: Context) async throws -> Response {
    ChangeStream(saves: store.saves).response(to: request)
  }

  private func id(_ context: Context) throws -> ObjectID<Order> {
    let key = try context.parameters.require("id", as: Int64.self)
    guard key > 0 else { throw HTTPError(.notFound, message: "there is no such order") }
    return ObjectID(key: key, in: store)
  }

  private static func number(_ text: some StringProtocol) throws -> Int {
    guard let number = Int(text) else { throw HTTPError(.badRequest, message: "\(text) is no number") }
    return number
  }

  private func response(_ id: ObjectID<Order>, _ request: Request, _ context: Context) async throws -> Response {
    guard let order = try await documents(FetchRequest(where: "SELF == %@", id)).first else {
      throw StoredObjectError.notFound(id: id.uri)
    }
    var response = try order.response(from: request, context: context)
    response.headers[.eTag] = "\"\(order.version)\""
    return response
  }

  /// The orders with their customers, rows and services, in one read: whole saves, never half of one.
  private func documents(_ wanted: FetchRequest<Order>) async throws -> [OrderDocument] {
    try await store.read { reading in
      let graph = try reading.fetch(wanted, including: "customer", "rows.service")
      return try graph.objects.map { try OrderDocument($0, in: graph) }
    }
  }
}

extension Request {
  /// The values of the query, in which a plus sign is a space: forms and `curl --data-urlencode` write it so.
  fileprivate var formQuery: [String: String] {
    var components = URLComponents()
    components.percentEncodedQuery = uri.query?.replacing("+", with: "%20")
    let items = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    return Dictionary(items) { first, _ in first }
  }

  /// Checks that the client has read the version that the store has.
  fileprivate func checkVersion(of order: Order) throws {
    guard let wanted = headers[.ifMatch], wanted != "*", let version = order.version?.number else { return }
    let tags = wanted.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard !tags.contains("\"\(version)\"") else { return }
    throw HTTPError(
      .preconditionFailed, headers: [.eTag: "\"\(version)\""], message: "somebody else saved the order: read it again")
  }
}
