import ModelDescription
import ModelFiles
import Testing

@Suite("Work on all cores")
struct ConcurrentMapTests {
  @Test("Results are in order, and every thread writes text in the form of the caller", arguments: [false, true])
  func form(_ isSpoken: Bool) {
    TextWidth.$isSpoken.withValue(isSpoken) {
      let found = Array(0..<1_000).concurrentMap { (number: Int) in (number, TextWidth.listed(3)) }
      #expect(found.map(\.0) == Array(0..<1_000))
      #expect(Set(found.map(\.1)) == [isSpoken ? .max : 3])
    }
  }
}
