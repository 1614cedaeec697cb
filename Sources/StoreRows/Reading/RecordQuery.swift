/// A request with the kind of result.
package struct RecordQuery: Hashable, Sendable {
  /// The kind of a result.
  package enum Subject: Hashable, Sendable {
    /// The objects, with the objects of included relationships.
    case objects(including: InclusionTree)
    /// How many they are.
    case count
    /// Aggregates of groups of the objects.
    case groups([RecordAggregate], by: [String])
  }

  package var request: RecordRequest
  /// The kind of the result.
  package var subject: Subject
  /// True to return SQLite's query plan instead of the result.
  package var isExplained: Bool

  package init(_ request: RecordRequest, _ subject: Subject, isExplained: Bool = false) {
    (self.request, self.subject, self.isExplained) = (request, subject, isExplained)
  }
}

package enum RecordAnswer: Hashable, Sendable {
  /// Objects and their total number, including those beyond a limit.
  case objects(RecordGraph, including: InclusionTree, total: Int)
  /// How many objects there are.
  case count(Int)
  /// Groups of objects.
  case groups([RecordGroup], of: [RecordAggregate], by: [String])
  /// How SQLite would find them.
  case explanation(RequestExplanation)
}

extension RecordReading {
  /// Runs a query.
  ///
  /// - Parameter query: the query.
  package func answer(_ query: RecordQuery) throws -> RecordAnswer {
    let request = query.request
    switch query.subject {
    case .objects(let inclusion):
      if query.isExplained { return .explanation(try explain(request)) }
      let graph = try fetch(request, including: inclusion)
      let isWhole = request.limit == nil && request.offset == 0
      let total = isWhole ? graph.objects.count : try count(request)
      return .objects(graph, including: inclusion, total: total)
    case .count: return query.isExplained ? .explanation(try explainCount(request)) : .count(try count(request))
    case .groups(let aggregates, let keyPaths):
      if query.isExplained { return .explanation(try explain(aggregates, by: keyPaths, of: request)) }
      return .groups(try groups(aggregates, by: keyPaths, of: request), of: aggregates, by: keyPaths)
    }
  }
}
