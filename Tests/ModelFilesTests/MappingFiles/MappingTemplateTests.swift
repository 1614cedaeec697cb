import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("A new mapping file says what inference does and what it cannot know")
struct MappingTemplateTests {
  @Test("The shop's two versions")
  func shop() throws {
    let text = MappingFileWriter.template(
      from: try ShopModels.source(), to: try ShopModels.destination(personContinuesCustomer: true),
      sourceVersion: "v2", destinationVersion: "v3")
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- What inference does between the two versions, entity by entity. Properties that stay as they are are not listed:
             what is not written is inferred. DECIDE: marks what inference cannot know. -->
        <mappingModel source="v2" destination="v3">

          <!-- Address is new and starts empty -->
          <entityMapping destination="Address"/>

          <!-- Order -->
          <entityMapping source="Order" destination="Order">
            <!-- type was Integer 32, is Integer 64: the values are converted -->
            <attribute name="number" value="$source.number"/>
            <!-- type was Double, is Decimal: DECIDE: values are converted; those that do not fit would change -->
            <!-- optional was yes, is no: rows without a value get the default value 0 -->
            <attribute name="total" value="TERNARY($source.total == nil, CAST('0', 'NSDecimalNumber'), $source.total)"/>
            <!-- was customer: the links are kept -->
            <relationship name="buyer" mapping="CustomerToPerson" keyPath="$source.customer"/>
          </entityMapping>

          <!-- Customer becomes Person: 1 relationship as before -->
          <!-- DECIDE: nothing reads Customer.firstName (String); read it as $source.firstName, or state the loss with
               <drop name="Customer.firstName"/> -->
          <!-- DECIDE: nothing reads Customer.lastName (String); read it as $source.lastName, or state the loss with
               <drop name="Customer.lastName"/> -->
          <!-- DECIDE: nothing reads Customer.street (String); read it as $source.street, or state the loss with
               <drop name="Customer.street"/> -->
          <entityMapping source="Customer" destination="Person">
            <!-- type was Integer 16, is Integer 64: the values are converted -->
            <!-- optional was yes, is no: rows without a value get the default value 18 -->
            <attribute name="age" value="TERNARY($source.age == nil, 18, $source.age)"/>
            <!-- new: DECIDE: existing rows would lack a required value -->
            <attribute name="fullName" default="yes"/>
            <!-- DECIDE: Person.since changes from String to Date, which is not inferred; write value="…", sql="…" or
                 default="yes" -->
            <!-- perhaps value="CAST($source.since, 'NSDate')" -->
            <attribute name="since" default="yes"/>
            <!-- new: existing rows have no links -->
            <relationship name="address" empty="yes"/>
          </entityMapping>

          <!-- DECIDE: Note goes with all its objects; to keep them name a destination, or state the loss with
               <drop name="Note"/> -->
          <entityMapping source="Note"/>
        </mappingModel>

        """)
  }

  @Test("Every template is read and resolved, and says of each entity what inference says")
  func resolves() throws {
    var compared = 0
    for seed in UInt64(1)...1_000 {
      var random = RandomMapping(seed: seed)
      let (source, destination) = (try random.model(), try random.model())
      let text = MappingFileWriter.template(
        from: source, to: destination, sourceVersion: "a--b", destinationVersion: "c")
      do {
        let file = try MappingFile(Data(text.utf8), path: "seed-\(seed).xml")
        let resolved = try file.resolved(from: source, to: destination)
        guard let inferred = try? WrittenMappingModel().resolved(from: source, to: destination) else { continue }
        compared += 1
        #expect(resolved == inferred, "seed \(seed)\n\(text)")
      } catch {
        Issue.record("seed \(seed): \(error)\n\(text)")
        return
      }
    }
    print("templates: 1,000, compared with inference \(compared)")
    #expect(compared > 50)
  }
}
