import Testing

@testable import ObjectStores

@Suite("Places in an order")
struct OrderPositionsTests {
  @Test(
    "Few places change, and Core Data's numbers are used",
    arguments: [
      ([nil, nil, nil] as [Int64?], [2048, 3072, 4096] as [Int64]), ([2048, 3072, nil], [2048, 3072, 4096]),
      ([2048, nil, nil, 3072], [2048, 2389, 2730, 3072]), ([nil, 2048], [1024, 2048]),
      ([3072, 2048], [1024, 2048]), ([2048, nil, 2049], [2048, 3072, 4096]),
      ([2048, nil, 2050], [2048, 2049, 2050]), ([nil, 1], [2048, 3072]), ([], []),
      ([5, 5, 5], [1, 2, 5]), ([Int64.max, nil], [2048, 3072]), ([Int64.min, nil], [2048, 3072]),
    ])
  func places(_ list: [Int64?], _ expected: [Int64]) {
    #expect(OrderPositions.positions(for: list) == expected)
  }

  @Test("Moving one of many objects changes one place")
  func moving() {
    var list = (0..<1000).map { Optional(2048 + Int64($0) * 1024) }
    list.insert(list.remove(at: 900), at: 3)
    let places = OrderPositions.positions(for: list)
    #expect(places == places.sorted() && Set(places).count == 1000)
    #expect(zip(list, places).count { $0 != $1 } == 1)
  }
}
