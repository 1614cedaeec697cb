import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("A new mapping file contains the open decisions, and names the rest")
struct MappingTemplateTests {
  @Test("The shop's two versions")
  func shop() throws {
    let text = MappingFileWriter.template(
      from: try ShopModels.source(), to: try ShopModels.destination(personContinuesCustomer: true),
      sourceVersion: "v2", destinationVersion: "v3")
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Make the decisions marked with DECIDE, and delete their comments. Everything that you leave out is inferred. -->
        <!-- New and empty: Address. -->
        <mappingModel source="v2" destination="v3">

          <!-- Order -->
          <entityMapping source="Order" destination="Order">
            <!-- type was Double, is Decimal: DECIDE: values are converted; values that do not fit would change -->
            <!-- optional was yes, is no: rows without a value get the default value 0 -->
            <!-- perhaps value="TERNARY($source.total == nil, CAST('0', 'NSDecimalNumber'), $source.total)" -->
            <attribute name="total"/>
          </entityMapping>

          <!-- Customer becomes Person: 1 relationship unchanged -->
          <!-- DECIDE: no expression reads Customer.firstName (String); read it as $source.firstName, or declare the loss with
               <drop name="Customer.firstName"/> in the mappingModel -->
          <!-- DECIDE: no expression reads Customer.lastName (String); read it as $source.lastName, or declare the loss with
               <drop name="Customer.lastName"/> in the mappingModel -->
          <!-- DECIDE: no expression reads Customer.street (String); read it as $source.street, or declare the loss with
               <drop name="Customer.street"/> in the mappingModel -->
          <entityMapping source="Customer" destination="Person">
            <!-- new: DECIDE: existing rows would lack a required value -->
            <attribute name="fullName" default="yes"/>
            <!-- DECIDE: Person.since changes from String to Date, and this is not inferred; write value="…", sql="…" or
                 default="yes" -->
            <!-- perhaps value="CAST($source.since, 'NSDate')" -->
            <attribute name="since" default="yes"/>
          </entityMapping>

          <!-- DECIDE: Note and all its objects are deleted; to keep them, name a destination, or declare the loss with
               <drop name="Note"/> in the mappingModel -->
          <entityMapping source="Note"/>
        </mappingModel>

        """)
  }

  @Test("Every template is read and resolved, and agrees with inference for each entity")
  func resolves() throws {
    var compared = 0
    for seed in UInt64(1)...(CorpusSample.isWhole ? 1_000 : 300) {
      var random = RandomMapping(seed: seed)
      let (source, destination) = (try random.model(), try random.model())
      let text = MappingFileWriter.template(
        from: source, to: destination, sourceVersion: "a--b", destinationVersion: "c")
      do {
        let file = try MappingFile(Data(text.utf8), path: "seed-\(seed).xml")
        let resolved = try file.resolved(from: source, to: destination)
        guard let inferred = try? WrittenMappingModel().resolved(from: source, to: destination) else { continue }
        compared += 1
        // What is written comes first; the rest follows in the order of inference.
        #expect(resolved.inOrder(of: inferred) == inferred, "seed \(seed)\n\(text)")
      } catch {
        Issue.record("seed \(seed): \(error)\n\(text)")
        return
      }
    }
    print("templates: 1,000, compared with inference \(compared)")
    #expect(compared > CorpusSample.least(50, sampled: 10))
  }

  @Test("Between two versions that inference joins nothing is written but a comment")
  func nothingToDecide() throws {
    let model = try ShopModels.source()
    let template = MappingTemplate(from: model, to: model)
    #expect(template.written.entityMappings.isEmpty && template.openDecisionCount == 0)
    let names = model.model.entities.map(\.name).sorted().joined(separator: ", ")
    #expect(template.comments[.model]?.last?.hasPrefix("Unchanged: ") == true, "\(template.comments) \(names)")
  }
}

extension MappingModel {
  /// The same with its entity mappings in the order of another's.
  func inOrder(of other: MappingModel) -> MappingModel {
    var ordered = self
    let places = Dictionary(other.entityMappings.enumerated().map { ($1.name, $0) }) { first, _ in first }
    ordered.entityMappings.sort { (places[$0.name] ?? .max, $0.name) < (places[$1.name] ?? .max, $1.name) }
    return ordered
  }
}
