import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("The text for git's diff is complete")
struct CompleteModelTextTests {
  @Test("An identifier that is the element's own name makes no line")
  func idleIdentifiers() throws {
    func text(_ identifier: String) throws -> String {
      let contents = """
        <model><entity name="A"\(identifier.replacing("#", with: "A"))>
        <attribute name="a" attributeType="String"\(identifier.replacing("#", with: "a"))/>
        <relationship name="r" destinationEntity="A"\(identifier.replacing("#", with: "r"))/></entity></model>
        """
      return CompleteModelText(try ContentsReader.read(Data(contents.utf8), path: "contents").model).text
    }
    #expect(try text(" elementID=\"#\"") == text(""))
    #expect(try text(" elementID=\"#x\"") != text(""))
  }

  @Test("Content that show leaves out")
  func everything() throws {
    let contents = """
      <model userDefinedModelVersionIdentifier="7">
        <entity name="A" representedClassName="App.A" codeGenerationType="category">
          <attribute name="a" optional="YES" attributeType="String" minValueString="1" maxValueString="9"
            regularExpressionString="[a-z]+" indexed="YES" spotlightIndexingEnabled="YES">
            <userInfo><entry key="k" value="v"/></userInfo>
          </attribute>
          <attribute name="t" optional="YES" attributeType="Transformable" valueTransformerName="T" customClassName="C"/>
          <fetchedProperty name="f" optional="YES">
            <fetchRequest name="r" entity="A" predicateString="a == 1" fetchLimit="2"/>
          </fetchedProperty>
          <fetchIndex name="i" partialIndexPredicate="a != nil">
            <fetchIndexElement property="a" type="Binary" order="descending"/>
          </fetchIndex>
          <compoundIndexes><compoundIndex><index value="a"/><index value="t"/></compoundIndex></compoundIndexes>
          <userInfo><entry key="e" value="w"/></userInfo>
        </entity>
        <fetchRequest name="all" entity="A" predicateString="TRUEPREDICATE"/>
        <configuration name="Cloud"><memberEntity name="A"/></configuration>
      </model>
      """
    let model = try ContentsReader.read(Data(contents.utf8), path: "contents").model
    #expect(
      CompleteModelText(model).text == """
        model: 1 entity
        version identifier 7

        entity A, class App.A, code generation category, user info e: "w"
          attribute a, String, optional, minimum length 1, maximum length 9, matches "[a-z]+", indexed, indexed by \
        Spotlight, user info k: "v"
          attribute t, Transformable, optional, value transformer T, value class C
          fetched property f, optional, fetches A, where "a == 1", fetch limit 2, fetch request r
          index i, by a, descending, only rows where "a != nil"
          compound index on a, t

        fetch request all, fetches A, where "TRUEPREDICATE"

        configuration Cloud, 1 entity, entity A

        """)
  }

  @Test(
    "Two versions of the corpus with one text are one model",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var byText: [String: ManagedObjectModel] = [:]
    var (models, same) = (0, 0)
    for url in Corpus.files(in: "models", where: { $0 == "contents" }) {
      guard let file = try? ContentsReader.read(fileAt: url.path) else { continue }
      let model = normalised(file.model)
      let text = CompleteModelText(file.model).text
      if let known = byText[text] {
        #expect(known == model, "\(url.path)")
        same += 1
      }
      byText[text] = model
      models += 1
    }
    print("texts: \(models) models, \(models - same) texts")
    #expect(models > 400)
  }

  /// The model without its file's order, and without what only the editor uses.
  private func normalised(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var model = model
    model.entities.sort { $0.name < $1.name }
    model.composites.sort { $0.name < $1.name }
    for entity in model.entities.indices {
      model.entities[entity].isSyncable = false
      model.entities[entity].uniquenessConstraints.sort { $0.joined() < $1.joined() }
      model.entities[entity].compoundIndexes.sort { $0.joined() < $1.joined() }
      model.entities[entity].fetchIndexes.sort { $0.name < $1.name }
      model.entities[entity].attributes.sort { $0.name < $1.name }
      model.entities[entity].relationships.sort { $0.name < $1.name }
      for position in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[position].isSyncable = false
        model.entities[entity].attributes[position].usesScalarValueType = nil
      }
      for position in model.entities[entity].relationships.indices {
        model.entities[entity].relationships[position].isSyncable = false
      }
      for position in model.entities[entity].fetchedProperties.indices {
        model.entities[entity].fetchedProperties[position].isSyncable = false
      }
    }
    return model
  }
}
