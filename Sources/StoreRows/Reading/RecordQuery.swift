/// A request, and what of the objects that it asks for is wanted.
package struct RecordQuery: Hashable, Sendable {
  /// What is wanted of objects.
  package enum Subject: Hashable, Sendable {
    /// The objects, with those at the other ends of relationships.
    case objects(including: InclusionTree)
    /// How many they are.
    case count
    /// What is made of groups of them.
    case groups([RecordAggregate], by: [String])
  }

  package var request: RecordRequest
  /// What is wanted of them.
  package var subject: Subject
  /// True for the way in which SQLite would find it, in its place.
  package var isExplained: Bool

  package init(_ request: RecordRequest, _ subject: Subject, isExplained: Bool = false) {
    (self.request, self.subject, self.isExplained) = (request, subject, isExplained)
  }
}

package enum RecordAnswer: Hashable, Sendable {
  /// Objects, and how many there are, those beyond a limit too.
  case objects(RecordGraph, including: InclusionTree, total: Int)
  /// How many objects there are.
  case count(Int)
  /// Groups of objects.
  case groups([RecordGroup], of: [RecordAggregate], by: [String])
  /// How SQLite would find them.
  case explanation(RequestExplanation)
}

extension RecordReading {
  /// Answers a query.
  ///
  /// - Parameter query: what is asked.
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
