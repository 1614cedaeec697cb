import Foundation
import ModelKit

/// A picture on its way into the forms asked for; Graphviz is started where one of them needs it.
struct Drawing {
  let diagram: Diagram
  /// The part of it that pages show first, nil for none.
  var part: Diagram?
  /// Makes the page around a picture, which is of the part where there is one; then the whole is the other.
  let page: (DiagramPage.Picture, DiagramPage.Picture?) -> DiagramPage

  /// Gives the picture in every form.
  ///
  /// - Throws: ``CommandError``, and `Graphviz.Failure` where a form is nothing without the picture.
  func write(to output: FormatOptions<DiagramForm>) throws {
    try output.writeData { form in
      switch form {
      case .mermaid: Data(mermaid().utf8)
      case .dot: Data(DOTDiagram(diagram).text.utf8)
      case .dbml: Data(DBMLDiagram(diagram).text.utf8)
      case .svg: Data(try drawn().text.utf8)
      case .png: try Graphviz.draw(DOTDiagram(diagram), as: .png)
      case .html: Data(try finishedPage().text.utf8)
      }
    }
  }

  private func mermaid() -> String {
    let mermaid = MermaidDiagram(diagram)
    if let limit = mermaid.limit {
      Console.warn("\(limit), so that GitHub shows an error instead; draw less with --entity NAME")
    }
    return mermaid.text
  }

  private func drawn() throws(Graphviz.Failure) -> SVGDiagram { try Self.drawn(diagram) }

  private static func drawn(_ diagram: Diagram) throws(Graphviz.Failure) -> SVGDiagram {
    let data = try Graphviz.draw(DOTDiagram(diagram), as: .svg)
    guard let svg = SVGDiagram(drawn: String(decoding: data, as: UTF8.self), of: diagram) else {
      throw .failed(reason: "its output is no SVG")
    }
    return svg
  }

  /// The page, which is whole without its pictures.
  private func finishedPage() throws(Graphviz.Failure) -> DiagramPage {
    guard let part else { return page(try Self.picture(of: diagram), nil) }
    let first = try Self.picture(of: part)
    guard case .drawn = first else { return page(first, nil) }
    return page(first, try Self.picture(of: diagram))
  }

  private static func picture(of diagram: Diagram) throws(Graphviz.Failure) -> DiagramPage.Picture {
    do {
      return .drawn(try drawn(diagram))
    } catch .interrupted {
      throw .interrupted
    } catch {
      Console.warn("the page has no picture: \(error)")
      return .missing(reason: "This page has no picture. \(error).")
    }
  }
}
