import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("A mapping model is written without inferable parts")
struct MappingFileWriterTests {
  private func text(_ mapping: MappingModel) throws -> String {
    MappingFileWriter.text(
      of: mapping, from: try ShopModels.source(), to: try ShopModels.destination(), sourceVersion: "v2",
      destinationVersion: "v3")
  }

  @Test("A file without inferable parts is written unchanged")
  func minimal() throws {
    let mapping = try MappingResolutionTests.resolved(MappingResolutionTests.file)
    #expect(
      try text(mapping) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mappingModel source="v2" destination="v3">
          <drop name="Note"/>
          <entityMapping source="Customer" destination="Person" where="age &gt; 3">
            <attribute name="fullName" value="$source.firstName + ' ' + $source.lastName"/>
            <attribute name="since" value="CAST($source.since, 'NSDate')"/>
            <relationship name="address" mapping="CustomerToAddress" keyPath="$source"/>
          </entityMapping>
          <entityMapping source="Customer" destination="Address"/>
        </mappingModel>

        """)
  }

  @Test("Parts that contradict inference are written")
  func contradictions() throws {
    var mapping = try MappingResolutionTests.resolved(MappingResolutionTests.file)
    mapping.droppedData = []
    mapping.entityMappings.removeAll { $0.name != "OrderToOrder" && $0.name != "CustomerToPerson" }
    mapping.entityMappings[0].relationshipMappings = []
    mapping.entityMappings[0].filter = nil
    mapping.entityMappings[0].attributeMappings[0].value = .unset
    mapping.entityMappings[1].kind = .transform
    mapping.entityMappings[1].attributeMappings[0].userInfo = ["why": "\"quoted\""]
    #expect(
      try text(mapping) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mappingModel source="v2" destination="v3" unmentioned="dropped">
          <entityMapping source="Customer" destination="Person">
            <attribute name="age" default="yes"/>
            <attribute name="fullName" value="$source.firstName + ' ' + $source.lastName"/>
            <attribute name="since" value="CAST($source.since, 'NSDate')"/>
            <relationship name="address" omitted="yes"/>
            <relationship name="orders" omitted="yes"/>
          </entityMapping>
          <entityMapping source="Order" destination="Order" type="transform">
            <attribute name="number">
              <userInfo key="why" value="&quot;quoted&quot;"/>
            </attribute>
          </entityMapping>
        </mappingModel>

        """)
  }

  @Test("1,500 random mapping models between random models survive writing and reading, and give the same file again")
  func roundTrip() throws {
    let first: UInt64 = 7_000
    var entityMappings = 0
    for seed in first..<(first + (CorpusSample.isWhole ? 1_500 : 400)) {
      var random = RandomMapping(seed: seed)
      let (source, destination) = (try random.model(), try random.model())
      let mapping = random.mapping(from: source, to: destination)
      entityMappings += mapping.entityMappings.count
      func text(_ mapping: MappingModel) -> String {
        MappingFileWriter.text(
          of: mapping, from: source, to: destination, sourceVersion: "1 < \"2\"", destinationVersion: "2")
      }
      let written = text(mapping)
      do {
        let file = try MappingFile(Data(written.utf8), path: "seed-\(seed).xml")
        let again = try file.resolved(from: source, to: destination)
        #expect(again == mapping, "seed \(seed):\n\(written)")
        #expect(text(again) == written, "seed \(seed)")
        if again != mapping { return }
      } catch {
        Issue.record("\(error)\n\(written)")
        return
      }
    }
    print("mapping models from seed \(first) on: 1,500 with \(entityMappings) entity mappings")
    #expect(entityMappings > CorpusSample.least(3_000, sampled: 800))
  }

  @Test("The inferred mapping of two models is written as an empty file")
  func inferred() throws {
    var (compared, files) = (0, 0)
    for seed in UInt64(1)...(CorpusSample.isWhole ? 1_000 : 300) {
      var random = RandomMapping(seed: seed)
      let (source, destination) = (try random.model(), try random.model())
      files += 1
      guard let mapping = try? WrittenMappingModel().resolved(from: source, to: destination) else { continue }
      compared += 1
      let written = WrittenMappingModel(mapping, from: source, to: destination)
      #expect(written == WrittenMappingModel(), "seed \(seed)")
    }
    print("inferred mapping models: \(compared) of \(files) pairs")
    #expect(compared > CorpusSample.least(50, sampled: 10))
  }
}
